import { expect, it } from '@jest/globals';
import type { ApiKey, Chatbot } from '@parley/contracts';
import { keyPermissions, type OrgRole } from '@parley/contracts/permissions';
import { screen, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { installFakeApi, refuse, type Handlers } from '../../../testing/fake-api.ts';
import { renderInOrganisation } from '../../../testing/render.tsx';
import { sampleKey } from '../../../testing/samples.ts';
import { SettingsPage } from '../settings-page.tsx';

const list = 'GET /api/auth/my-api-keys';
const secret = `plk_${'s'.repeat(43)}`;
const other = (n: number, over: Partial<ApiKey>) =>
  sampleKey({ id: `key_${String(n).padStart(26, '0')}` as ApiKey['id'], ...over });

function show(items: ApiKey[], handlers: Handlers = {}, role: OrgRole = 'owner') {
  const api = installFakeApi({ [list]: () => ({ items, nextCursor: null }), ...handlers });
  renderInOrganisation(<SettingsPage />, { path: '/:locale/settings', at: '/en/settings?tab=keys', role });
  return api;
}
const rowOf = async (name: string) => (await screen.findByText(name)).closest('tr')!;
const dialog = () => screen.findByRole('dialog');

it('shows what each key may and how it stands; those that have ended stand apart, without buttons', async () => {
  const soon = new Date(Date.now() + 3 * 24 * 3_600_000).toISOString();
  const by = { userId: sampleKey().owner.userId, name: 'Samir' };
  show([
    sampleKey({ permissions: ['chat:create', 'chat:read', 'model:use', 'org:read'] }),
    other(2, { name: 'All', permissions: keyPermissions, lastUsedAt: '2026-11-21T10:41:00.000Z' }),
    other(3, { name: 'Laptop test', endsAt: soon }),
    other(4, { name: 'Old import', ended: { how: 'revoked', by, reason: 'Found in a log' } }),
  ]);
  const first = within(await rowOf('Night report'));
  expect(first.getByText('Start a chat, Read chats')).toBeInTheDocument();
  expect(first.getByText('and 1 more')).toBeInTheDocument();
  expect(first.getByText('Not used yet')).toBeInTheDocument();
  expect(first.queryByRole('button', { name: /Replace/ })).toBeNull();
  const all = within(await rowOf('All'));
  expect(all.getByText('All your permissions')).toBeInTheDocument();
  expect(all.getByText('Active')).toBeInTheDocument();
  const ending = within(await rowOf('Laptop test'));
  expect(ending.getByText('Ends in 3 days')).toBeInTheDocument();
  expect(ending.getAllByRole('button').map(({ textContent }) => textContent)).toEqual([
    'Replace: Laptop test',
    'Revoke: Laptop test',
  ]);
  const dead = within(await rowOf('Old import'));
  expect(dead.getByText('Revoked by Samir')).toBeInTheDocument();
  expect(dead.getByText('Found in a log')).toBeInTheDocument();
  expect(dead.queryByRole('button')).toBeNull();
});

it('a new key is shown once, above the list', async () => {
  let items: ApiKey[] = [];
  const { calls } = show(items, {
    [list]: () => ({ items, nextCursor: null }),
    'POST /api/auth/my-api-keys': ({ body }) => {
      items = [sampleKey({ id: body.id, name: body.name, permissions: body.permissions })];
      return { key: items[0]!, secret };
    },
  });
  await screen.findByText('No API keys yet');
  await userEvent.click(screen.getByRole('button', { name: 'Create key' }));
  const form = within(await dialog());
  await userEvent.click(form.getByRole('button', { name: 'Create key' }));
  expect(form.getByText('Give it a name by which you know it.')).toBeInTheDocument();
  await userEvent.type(form.getByLabelText('Name'), 'Night report');
  await userEvent.click(form.getByRole('radio', { name: 'Only some of it' }));
  await userEvent.click(form.getByRole('checkbox', { name: 'Delete chats' }));
  await userEvent.click(form.getByRole('button', { name: 'Create key' }));
  expect(await screen.findByLabelText('The new key')).toHaveValue(secret);
  expect((await rowOf('Night report')).dataset['new']).toBe('true');
  const sent = calls.find(({ route }) => route === 'POST /api/auth/my-api-keys')?.body as { permissions: string[] };
  expect(sent.permissions).toEqual(keyPermissions.filter((right) => right !== 'chat:delete'));
  await userEvent.click(screen.getByRole('button', { name: 'I have it' }));
  expect(screen.queryByLabelText('The new key')).toBeNull();
});

it('says when the text of a new key was lost on the way', async () => {
  show([], { 'POST /api/auth/my-api-keys': ({ body }) => ({ key: sampleKey({ id: body.id }), secret: null }) });
  await userEvent.click(await screen.findByRole('button', { name: 'Create key' }));
  const form = within(await dialog());
  await userEvent.type(form.getByLabelText('Name'), 'Night report');
  await userEvent.click(form.getByRole('button', { name: 'Create key' }));
  expect(await screen.findByText(/its text was lost on the way/)).toBeInTheDocument();
});

it('a key near its end is replaced by one of the same name and rights', async () => {
  const soon = new Date(Date.now() + 24 * 3_600_000).toISOString();
  const { calls } = show([sampleKey({ endsAt: soon })], {
    'POST /api/auth/my-api-keys': ({ body }) => ({ key: other(2, { id: body.id }), secret }),
  });
  await userEvent.click(within(await rowOf('Night report')).getByRole('button', { name: /Replace/ }));
  await userEvent.click(within(await dialog()).getByRole('button', { name: 'Create key' }));
  await screen.findByLabelText('The new key');
  const sent = calls.find(({ route }) => route === 'POST /api/auth/my-api-keys')?.body;
  expect(sent).toMatchObject({ name: 'Night report', permissions: ['chat:create', 'chat:read'] });
});

it('is revoked after a question', async () => {
  let items = [sampleKey()];
  show(items, {
    [list]: () => ({ items, nextCursor: null }),
    'DELETE /api/auth/my-api-keys/:apiKeyId': () => {
      items = [];
      return undefined;
    },
  });
  await userEvent.click(within(await rowOf('Night report')).getByRole('button', { name: /Revoke/ }));
  expect(items).toHaveLength(1);
  await userEvent.click(within(await dialog()).getByRole('button', { name: 'Revoke key' }));
  expect(await screen.findByText('No API keys yet')).toBeInTheDocument();
});

it('that could not be loaded say so', async () => {
  show([], { [list]: () => refuse('platform.internal') });
  expect(await screen.findByText('The API keys could not be loaded')).toBeInTheDocument();
});

it('whoever may have none does not see the tab', () => {
  show([], {}, 'guest');
  expect(screen.queryByRole('link', { name: 'API keys' })).toBeNull();
});

it('says how a client of OpenAI is connected: address, a chatbot as model, and a line for the terminal', async () => {
  const user = userEvent.setup();
  const idOf = (n: number) => `bot_${String(n).padStart(26, '0')}` as Chatbot['id'];
  const rest = { glyph: 'bot' as const, version: 1, model: null, starters: [] };
  const otherChatbotId = idOf(2);
  const chatbots = [
    { id: idOf(1), name: 'Assistant', isDefault: true, ...rest },
    { id: otherChatbotId, name: 'Grid Engineer', isDefault: false, ...rest },
  ];
  show([sampleKey()], { 'GET /api/chat/chatbots': () => ({ items: chatbots }) });
  expect(await screen.findByText(`${location.origin}/v1`)).toBeInTheDocument();
  await user.click(screen.getByRole('button', { name: 'How to connect' }));
  const shown = within(await dialog());
  expect(shown.getByText(/“Start a chat”/)).toBeInTheDocument();
  expect(shown.getByLabelText('Base address')).toHaveValue(`${location.origin}/v1`);
  await user.selectOptions(await shown.findByLabelText('Chatbot'), 'Grid Engineer');
  expect(shown.getByLabelText('Model')).toHaveValue(otherChatbotId);
  const line = shown.getByText(/^curl /);
  expect(line.textContent).toContain(`${location.origin}/v1/chat/completions`);
  expect(line.textContent).toContain(`"model":"${otherChatbotId}"`);
  await user.click(shown.getByRole('button', { name: 'Copy' }));
  expect(await navigator.clipboard.readText()).toBe(line.textContent);
  expect(shown.getByRole('link')).toHaveAttribute('href', '/v1/openapi.json');
  await user.click(shown.getByRole('button', { name: 'Close' }));
  expect(screen.queryByRole('dialog')).toBeNull();
});

it('says so, too, while nobody can tell which chatbots there are', async () => {
  show([], { 'GET /api/chat/chatbots': () => refuse('platform.unavailable') });
  await userEvent.click(await screen.findByRole('button', { name: 'How to connect' }));
  expect(within(await dialog()).getByLabelText('Model')).toHaveValue('bot_…');
});
