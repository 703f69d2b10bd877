import { describe, expect, it } from '@jest/globals';
import { screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import type { Provider, ProviderId } from '@parley/contracts';
import type { Answer } from '../../lib/http.ts';
import { installFakeApi } from '../../testing/fake-api.ts';
import { renderInOrganisation } from '../../testing/render.tsx';
import { sampleIds } from '../../testing/samples.ts';
import { OrganisationSettingsPage } from './organisation-settings-page.tsx';

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
  contexts: [],
  embeddingModel: 'embed-1',
  createdAt: '2026-11-21T10:00:00.000Z',
  version: 3,
};
type Embedding = Answer<'GET /api/chat/embedding'>;
const embedding: Embedding = {
  model: { providerId: provider.id, name: 'embed-1' },
  passages: 1_200,
  withVectors: 640,
  refused: 0,
  failure: null,
  isFull: false,
};

function show(shown: Provider, state: Partial<Embedding> = {}) {
  const api = installFakeApi({
    'GET /api/chat/providers': () => ({ items: [shown], nextCursor: null }),
    'GET /api/chat/provider-offers': () => ({ items: [] }),
    'GET /api/chat/embedding': () => ({ ...embedding, ...state }),
    'PATCH /api/chat/providers/:providerId': () => shown,
  });
  renderInOrganisation(<OrganisationSettingsPage />, {
    path: '/:locale/settings/org_admin/:orgId',
    at: `/en/settings/org_admin/${sampleIds.org}?tab=models`,
  });
  return api;
}

describe('an embedding model', () => {
  it('stands with how many passages have vectors, read again while some have none', async () => {
    const api = show(provider);
    expect(
      await screen.findByText('Meaning by \u2068embed-1\u2069: 640 of 1,200 passages have vectors'),
    ).toBeInTheDocument();
    const count = () => api.calls.filter(({ route }) => route === 'GET /api/chat/embedding').length;
    await waitFor(() => expect(count()).toBeGreaterThan(1));
  });

  it.each([
    ['budget-spent', /^It waits for the budget/],
    ['provider-refused', /^The server refuses the key/],
    ['model-missing', /^The server does not know this model/],
    ['provider-stalled', /^The server gives no vectors for now/],
  ] as const)('says what to do about %s', async (failure, text) => {
    show(provider, { failure });
    expect(await screen.findByText(text)).toBeInTheDocument();
  });

  it('says how many passages it refuses, and waits for nothing more where all others have a vector', async () => {
    const api = show(provider, { withVectors: 1_197, refused: 3 });
    expect(await screen.findByText('The model refuses 3 passages. They are found by their words.')).toBeInTheDocument();
    await new Promise((resolve) => setTimeout(resolve, 2_500));
    expect(api.calls.filter(({ route }) => route === 'GET /api/chat/embedding')).toHaveLength(1);
  });

  it('is not asked for where none is named, is named in the panel, and taken away by emptying the field', async () => {
    const api = show({ ...provider, embeddingModel: null });
    await userEvent.click(await screen.findByRole('button', { name: 'Edit Atlas' }));
    expect(api.calls.some(({ route }) => route === 'GET /api/chat/embedding')).toBe(false);
    const field = screen.getByRole('combobox', { name: 'Embedding model' });
    const sent = () => api.calls.findLast(({ route }) => route === 'PATCH /api/chat/providers/:providerId')?.body;
    await userEvent.type(field, 'two words');
    await userEvent.click(screen.getByRole('button', { name: 'Save provider' }));
    expect(await screen.findByText('The name of a model has no spaces.')).toBeInTheDocument();
    expect(sent()).toBeUndefined();
    await userEvent.clear(field);
    await userEvent.type(field, ' embed-2 ');
    await userEvent.click(screen.getByRole('button', { name: 'Save provider' }));
    await waitFor(() => expect(sent()).toMatchObject({ embeddingModel: 'embed-2', version: 3 }));
    await userEvent.click(await screen.findByRole('button', { name: 'Edit Atlas' }));
    await userEvent.click(screen.getByRole('button', { name: 'Save provider' }));
    await waitFor(() => expect(sent()).toMatchObject({ embeddingModel: null }));
  });
});
