import { expect, it } from '@jest/globals';
import { screen, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { installFakeApi, type Handlers } from '../../../testing/fake-api.ts';
import { renderInOrganisation } from '../../../testing/render.tsx';
import { sampleIds, sampleKey } from '../../../testing/samples.ts';
import { OrganisationSettingsPage } from '../organisation-settings-page.tsx';

function show(items = [sampleKey()], handlers: Handlers = {}) {
  const asked: unknown[] = [];
  const { calls } = installFakeApi({
    'GET /api/auth/api-keys': ({ query }) => {
      asked.push(query);
      return { items, nextCursor: null };
    },
    ...handlers,
  });
  renderInOrganisation(<OrganisationSettingsPage />, {
    path: '/:locale/settings/org_admin/:orgId',
    at: `/en/settings/org_admin/${sampleIds.org}?tab=keys`,
  });
  return { asked, calls };
}

it('shows whose each key is, finds by person and by state', async () => {
  const { asked } = show();
  expect(await screen.findByText('Ines Vardale')).toBeInTheDocument();
  await userEvent.click(screen.getByRole('button', { name: 'Ended' }));
  await userEvent.type(screen.getByLabelText('Whose key'), 'ines');
  await screen.findByText('Night report');
  expect(await screen.findByDisplayValue('ines')).toBeInTheDocument();
  expect(asked).toContainEqual({ state: 'ended' });
});

it('ends one with a reason, and not without', async () => {
  const reasons: unknown[] = [];
  show(undefined, {
    'DELETE /api/auth/api-keys/:apiKeyId': ({ query }) => {
      reasons.push(query.reason);
      return undefined;
    },
  });
  await userEvent.click(await screen.findByRole('button', { name: /Revoke/ }));
  const dialog = within(await screen.findByRole('dialog'));
  await userEvent.click(dialog.getByRole('button', { name: 'Revoke key' }));
  expect(dialog.getByText('Say why, in a few words.')).toBeInTheDocument();
  expect(reasons).toEqual([]);
  await userEvent.type(dialog.getByLabelText('Reason'), 'Found in a log{Enter}');
  await screen.findByText('Night report');
  expect(reasons).toEqual(['Found in a log']);
});

it('says where keys come from while there is none', async () => {
  show([]);
  expect(await screen.findByText('Nobody has an API key here')).toBeInTheDocument();
});
