import { describe, expect, it } from '@jest/globals';
import { screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import type { Provider, ProviderId } from '@parley/contracts';
import { installFakeApi } from '../../testing/fake-api.ts';
import { renderInOrganisation } from '../../testing/render.tsx';
import { sampleIds } from '../../testing/samples.ts';
import { OrganisationSettingsPage } from './organisation-settings-page.tsx';

const provider: Provider = {
  id: `prv_${'1'.repeat(26)}` as ProviderId,
  name: 'Atlas',
  baseUrl: 'https://atlas.example/v1',
  keyHint: 'x91q',
  models: ['a'],
  defaultModel: 'a',
  isDefault: true,
  createdAt: '2026-11-21T10:00:00.000Z',
  version: 3,
};

async function editProvider() {
  let stored = provider;
  const api = installFakeApi({
    'GET /api/chat/providers': () => ({ items: [stored], nextCursor: null }),
    'GET /api/chat/provider-offers': () => ({ items: [] }),
    'PATCH /api/chat/providers/:providerId': ({ body }) => {
      stored = { ...stored, version: 4, keyHint: body.apiKey === null ? null : stored.keyHint };
      return stored;
    },
  });
  renderInOrganisation(<OrganisationSettingsPage />, {
    path: '/:locale/settings/org_admin/:orgId',
    at: `/en/settings/org_admin/${sampleIds.org}`,
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
