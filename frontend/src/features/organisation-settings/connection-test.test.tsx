import { describe, expect, it } from '@jest/globals';
import { screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import type { Provider, ProviderId } from '@parley/contracts';
import { installFakeApi } from '../../testing/fake-api.ts';
import type { Answer } from '../../lib/http.ts';
import { renderInOrganisation } from '../../testing/render.tsx';
import { sampleIds } from '../../testing/samples.ts';
import { OrganisationSettingsPage } from './organisation-settings-page.tsx';

type Tested = Answer<'POST /api/chat/providers/test'>;
const provider: Provider = {
  id: `prv_${'1'.repeat(26)}` as ProviderId,
  kind: 'openai-compatible',
  name: 'Atlas',
  baseUrl: 'https://atlas.example/v1',
  keyHint: null,
  models: ['a'],
  defaultModel: 'a',
  isDefault: true,
  thinks: false,
  embeddingModel: null,
  contexts: [],
  createdAt: '2026-11-21T10:00:00.000Z',
  version: 1,
};
const good: Tested = {
  ok: true,
  failedStep: null,
  failure: null,
  detail: null,
  models: ['atlas-70b'],
  contexts: [{ model: 'atlas-70b', tokens: 32_768 }],
  images: [{ model: 'atlas-70b', accepts: 'yes' }],
  firstTokenMs: null,
};

/** Opens the panel of a new provider. */
async function addProvider({
  tests = [],
  providers = [],
  isPlatformAdmin = false,
}: { tests?: Partial<Tested>[]; providers?: Provider[]; isPlatformAdmin?: boolean } = {}) {
  const api = installFakeApi({
    'GET /api/chat/providers': () => ({ items: providers, nextCursor: null }),
    'GET /api/chat/provider-offers': () => ({ items: [] }),
    'POST /api/chat/providers/test': () => ({ ...good, ...tests.shift() }),
    'POST /api/chat/providers': () => provider,
    'POST /api/chat/allowed-addresses': ({ body: { address } }) => ({
      address,
      by: { userId: sampleIds.user, name: 'Ines Vardale' },
      at: provider.createdAt,
    }),
  });
  renderInOrganisation(<OrganisationSettingsPage />, {
    path: '/:locale/settings/org_admin/:orgId',
    at: `/en/settings/org_admin/${sampleIds.org}?tab=models`,
    isPlatformAdmin,
  });
  await screen.findByText(providers[0]?.name ?? 'No model server connected yet');
  await userEvent.click(screen.getAllByRole('button', { name: 'Add provider' })[0]!);
  const panel = within(await screen.findByRole('complementary', { name: 'Add provider' }));
  await userEvent.type(panel.getByLabelText('Name'), 'New');
  await userEvent.type(panel.getByLabelText('Base URL'), 'https://models.nowhere.example/v1');
  const sent = () => api.calls.find(({ route }) => route === 'POST /api/chat/providers')?.body;
  return { ...api, panel, sent, test: () => userEvent.click(panel.getByRole('button', { name: 'Test connection' })) };
}

describe('a connection test', () => {
  it.each<[string, Partial<Tested>, string]>([
    [
      'a key',
      { failedStep: 'key', failure: 'provider-refused' },
      'The server asks for a key. Enter it and test again.',
    ],
    [
      'a host',
      { failedStep: 'connection', failure: 'provider-unknown-host', detail: 'models.nowhere.example' },
      'Parley can’t find a server with the name models.nowhere.example. Check its spelling in the base URL and test again.',
    ],
    [
      'a server',
      { failedStep: 'connection', failure: 'provider-unreachable' },
      'No connection to models.nowhere.example could be made. Check that the server runs and that port and https are right, then test again.',
    ],
  ])('says what is wrong with %s, why, and what to do', async (_what, result, words) => {
    const { test } = await addProvider({ tests: [{ ok: false, models: [], ...result }] });
    await test();
    await waitFor(() => expect(screen.getByRole('complementary', { name: 'Add provider' })).toHaveTextContent(words));
    expect(screen.queryByText('What the server said')).toBeNull();
  });

  it('folds what the server said, and says that it refused the key', async () => {
    const refused = { ok: false, failedStep: 'key', failure: 'provider-refused', detail: '{"error":"nope"}' } as const;
    const { panel, test } = await addProvider({ tests: [refused] });
    await userEvent.type(panel.getByLabelText('Key'), 'sk-1');
    await test();
    expect(await screen.findByText('The server refused the key. Check it and test again.')).toBeInTheDocument();
    expect(screen.getByText('{"error":"nope"}').closest('details')).not.toHaveAttribute('open');
  });

  it('has no row for an answer that was not tried, and one for the model that was', async () => {
    const { test } = await addProvider({ tests: [{}, { firstTokenMs: 400 }] });
    await test();
    await screen.findByText('The models are listed');
    expect(screen.queryByText(/A short answer/)).toBeNull();
    expect(screen.queryByText('not tried')).toBeNull();
    await test();
    expect((await screen.findByText(/A short answer/)).textContent).toBe('A short answer comes from atlas-70b');
  });
});

it('fills what it has found out about each model', async () => {
  const { panel, test } = await addProvider();
  await test();
  expect(await panel.findByLabelText('Whether atlas-70b accepts images')).toHaveDisplayValue('Yes');
  expect(panel.getByDisplayValue('32768')).toBeInTheDocument();
});

describe('a new provider', () => {
  it('becomes the default where there is none', async () => {
    const name = 'New chats start with this default model';
    const first = await addProvider();
    expect(first.panel.getByRole('checkbox', { name })).toBeChecked();
  });

  it('takes nobody’s place by itself', async () => {
    const second = await addProvider({ providers: [provider] });
    const box = second.panel.getByRole('checkbox', { name: 'New chats start with this default model' });
    expect(box).not.toBeChecked();
  });

  it('says that a model is missing, and takes the name that was typed', async () => {
    const { panel, sent } = await addProvider();
    const save = panel.getByRole('button', { name: 'Add provider' });
    await userEvent.click(save);
    expect(panel.getByText(/^A model is missing\. Test the connection/)).toBeInTheDocument();
    await userEvent.type(panel.getByLabelText('Name of a model'), 'two words');
    await userEvent.click(save);
    expect(panel.getByText('The name of a model has no spaces.')).toBeInTheDocument();
    await userEvent.clear(panel.getByLabelText('Name of a model'));
    await userEvent.type(panel.getByLabelText('Name of a model'), 'qwen3:8b');
    await userEvent.click(save);
    await waitFor(() => expect(sent()).toMatchObject({ models: ['qwen3:8b'], defaultModel: 'qwen3:8b' }));
  });
});

describe('an address in a private network', () => {
  const refused: Partial<Tested> = { ok: false, failedStep: 'address', failure: 'provider-unreachable', models: [] };

  it('is allowed by a platform admin where it was typed, exactly that host and port, and tested again', async () => {
    const { test, panel, calls } = await addProvider({ tests: [refused], isPlatformAdmin: true });
    await test();
    const allow = await panel.findByRole('button', {
      name: /Allow .*models\.nowhere\.example:443.* for this installation/,
    });
    await userEvent.click(allow);
    expect(await panel.findByText('The models are listed')).toBeInTheDocument();
    await waitFor(() => expect(panel.queryByText(/You run this installation/)).toBeNull());
    expect(calls.filter(({ route }) => route === 'POST /api/chat/allowed-addresses').map(({ body }) => body)).toEqual([
      { address: 'models.nowhere.example:443' },
    ]);
  });

  it('is what others ask a platform admin for', async () => {
    const { test, panel } = await addProvider({ tests: [refused] });
    await test();
    expect(await panel.findByText(/ask a platform admin to open these settings and allow it/)).toBeInTheDocument();
    expect(panel.queryByRole('button', { name: /for this installation/ })).toBeNull();
  });
});
