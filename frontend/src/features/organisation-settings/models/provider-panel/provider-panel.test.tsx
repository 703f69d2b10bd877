import { describe, expect, it } from '@jest/globals';
import { screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import type { Provider, ProviderId } from '@parley/contracts';
import { installFakeApi, refuse, type Handlers } from '../../../../testing/fake-api.ts';
import { renderInOrganisation } from '../../../../testing/render.tsx';
import { sampleIds } from '../../../../testing/samples.ts';
import { OrganisationSettingsPage } from '../../organisation-settings-page.tsx';

const provider: Provider = {
  id: `prv_${'1'.repeat(26)}` as ProviderId,
  kind: 'openai-compatible',
  name: 'Atlas',
  baseUrl: 'https://atlas.example/v1',
  keyHint: 'x91q',
  models: ['a'],
  defaultModel: 'a',
  isDefault: true,
  thinks: false,
  embeddingModel: null,
  contexts: [],
  createdAt: '2026-11-21T10:00:00.000Z',
  version: 3,
};

function show(handlers: Handlers) {
  const api = installFakeApi({
    'GET /api/chat/providers': () => ({ items: [provider], nextCursor: null }),
    'GET /api/chat/provider-offers': () => ({ items: [] }),
    ...handlers,
  });
  renderInOrganisation(<OrganisationSettingsPage />, {
    path: '/:locale/settings/org_admin/:orgId',
    at: `/en/settings/org_admin/${sampleIds.org}?tab=models`,
  });
  return api;
}

async function editProvider() {
  let stored = provider;
  const api = show({
    'GET /api/chat/providers': () => ({ items: [stored], nextCursor: null }),
    'PATCH /api/chat/providers/:providerId': ({ body }) => {
      stored = { ...stored, version: 4, keyHint: body.apiKey === null ? null : stored.keyHint };
      return stored;
    },
  });
  await userEvent.click(await screen.findByRole('button', { name: 'Edit Atlas' }));
  return () => api.calls.find(({ route }) => route === 'PATCH /api/chat/providers/:providerId')?.body;
}

describe('the stored key of a provider', () => {
  it('is erased by saving, after the panel said so', async () => {
    const sent = await editProvider();
    await userEvent.click(screen.getByRole('button', { name: 'Remove key' }));
    expect(screen.getByText(/^The stored key that ends in x91q is erased when you save/)).toBeInTheDocument();
    expect(sent()).toBeUndefined();
    await userEvent.click(screen.getByRole('button', { name: 'Save and erase key' }));
    await waitFor(() => expect(sent()).toMatchObject({ apiKey: null, version: 3 }));
    expect(await screen.findByText('none')).toBeInTheDocument();
  });

  it('can be kept after all, and an untouched field keeps it', async () => {
    const sent = await editProvider();
    await userEvent.click(screen.getByRole('button', { name: 'Remove key' }));
    await userEvent.click(screen.getByRole('button', { name: 'Keep key' }));
    expect(screen.getByText(/^The stored key ends in x91q/)).toBeInTheDocument();
    await userEvent.click(screen.getByRole('button', { name: 'Save provider' }));
    await waitFor(() => expect(sent()).toMatchObject({ version: 3 }));
    expect(sent()).not.toHaveProperty('apiKey');
  });
});

describe('the form of a provider', () => {
  it('is sent with its kind, which brings its address, and whether models think', async () => {
    const api = show({ 'POST /api/chat/providers': ({ body }) => ({ ...provider, id: body.id }) });
    await userEvent.click(await screen.findByRole('button', { name: 'Add provider' }));
    expect(screen.queryByLabelText(/^Have models think first/)).toBeNull();
    await userEvent.selectOptions(screen.getByLabelText('Kind of server'), 'Anthropic (Claude)');
    expect(screen.getByLabelText('Base URL')).toHaveValue('https://api.anthropic.com/v1');
    await userEvent.type(screen.getByLabelText('Name'), 'Claude');
    await userEvent.type(screen.getByLabelText('Name of a model'), 'claude-sonnet-4-5');
    await userEvent.click(screen.getByLabelText(/^Have models think first/));
    const panel = within(screen.getByRole('complementary', { name: 'Add provider' }));
    await userEvent.click(panel.getByRole('button', { name: 'Add provider' }));
    const sent = () => api.calls.find(({ route }) => route === 'POST /api/chat/providers')?.body;
    await waitFor(() =>
      expect(sent()).toMatchObject({ kind: 'anthropic', thinks: true, models: ['claude-sonnet-4-5'] }),
    );
  });

  it('has a context length for each chosen model, and shows the assumed one if it is empty', async () => {
    const sent = await editProvider();
    const context = screen.getByLabelText('a', { selector: 'input[inputmode]' });
    expect(context).toHaveAttribute('placeholder', '8,000');
    await userEvent.type(context, '128k');
    await userEvent.click(screen.getByRole('button', { name: 'Save provider' }));
    expect(screen.getByText(/^A context length is a whole number/)).toBeInTheDocument();
    expect(context).toHaveFocus();
    expect(sent()).toBeUndefined();
    await userEvent.clear(context);
    await userEvent.type(context, '128000');
    await userEvent.click(screen.getByRole('button', { name: 'Save provider' }));
    await waitFor(() => expect(sent()).toMatchObject({ contexts: [{ model: 'a', tokens: 128_000 }] }));
  });

  it('shows whether each model accepts images, and saves what an admin says', async () => {
    const sent = await editProvider();
    const choice = screen.getByLabelText('Whether a accepts images');
    expect(choice).toHaveDisplayValue('Not known');
    await userEvent.selectOptions(choice, 'No');
    await userEvent.click(screen.getByRole('button', { name: 'Save provider' }));
    await waitFor(() => expect(sent()).toMatchObject({ contexts: [], images: [{ model: 'a', accepts: 'no' }] }));
  });

  it('ticks the models that chat once the server has listed them, all or none', async () => {
    const models = ['text-embedding-3-small', 'gpt-5', 'gpt-5-mini', 'whisper-1'];
    show({
      'POST /api/chat/providers/test': () => ({
        ok: true,
        failedStep: null,
        failure: null,
        detail: null,
        models,
        firstTokenMs: 20,
      }),
    });
    await userEvent.click(await screen.findByRole('button', { name: 'Add provider' }));
    await userEvent.type(screen.getByLabelText('Base URL'), 'https://api.openai.com/v1');
    await userEvent.click(screen.getByRole('button', { name: 'Test connection' }));
    const ticked = () =>
      models.filter((model) => screen.getByRole<HTMLInputElement>('checkbox', { name: model }).checked);
    await waitFor(() => expect(ticked()).toEqual(['gpt-5', 'gpt-5-mini']));
    await userEvent.click(screen.getByRole('button', { name: 'Select all' }));
    expect(ticked()).toEqual(models);
    await userEvent.click(screen.getByRole('button', { name: 'Select none' }));
    expect(ticked()).toEqual([]);
  });

  it('says at each field what is missing and goes to the first', async () => {
    show({});
    await userEvent.click(await screen.findByRole('button', { name: 'Add provider' }));
    await userEvent.click(screen.getByRole('button', { name: 'Add provider' }));
    expect(screen.getByText('Enter a name that members will see in the picker.')).toBeInTheDocument();
    expect(screen.getByText(/^Enter the address of a model server/)).toBeInTheDocument();
    expect(screen.getByText(/^A model is missing/)).toBeInTheDocument();
    const panel = within(screen.getByRole('complementary', { name: 'Add provider' }));
    expect(panel.getByLabelText('Name')).toHaveFocus();
  });

  it('shows what the server refuses at the field it names, the rest in one place, and keeps what was typed', async () => {
    show({
      'PATCH /api/chat/providers/:providerId': () =>
        refuse('platform.invalid-request', [
          { path: 'body.baseUrl', message: 'is not allowed' },
          { path: 'body.version', message: 'is too old' },
        ]),
    });
    await userEvent.click(await screen.findByRole('button', { name: 'Edit Atlas' }));
    const address = screen.getByLabelText('Base URL');
    await userEvent.type(address, '/chat');
    await userEvent.click(screen.getByRole('button', { name: 'Save provider' }));
    expect(await screen.findByText('The server did not accept this: is not allowed')).toBeInTheDocument();
    expect(address).toHaveValue('https://atlas.example/v1/chat');
    expect(address).toHaveFocus();
    expect(screen.getByRole('alert')).toHaveTextContent(
      /The server did not accept what was entered.*body.version: is too old/,
    );
    await userEvent.type(address, 's');
    expect(screen.queryByText('The server did not accept this: is not allowed')).toBeNull();
    expect(screen.queryByRole('alert')).toBeNull();
  });
});

it('the row of a provider says of how many models the context length is assumed', async () => {
  const models = ['a', 'b', 'c'];
  const contexts = [{ model: 'a', tokens: 32_000 }];
  const known = { ...provider, id: `prv_${'2'.repeat(26)}` as ProviderId, name: 'Known', models: ['a'], contexts };
  show({ 'GET /api/chat/providers': () => ({ items: [{ ...provider, models, contexts }, known], nextCursor: null }) });
  expect(await screen.findByText('2 with assumed context')).toBeInTheDocument();
  expect(screen.getAllByText(/with assumed context$/)).toHaveLength(1);
});
