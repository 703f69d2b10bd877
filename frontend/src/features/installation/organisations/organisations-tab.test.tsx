import { expect, it } from '@jest/globals';
import type { OrganisationOverview } from '@parley/contracts';
import { screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { installFakeApi, type Handlers } from '../../../testing/fake-api.ts';
import { renderInOrganisation } from '../../../testing/render.tsx';
import { sampleIds } from '../../../testing/samples.ts';
import { InstallationPage } from '../installation-page.tsx';

const at = '2026-11-21T10:41:00.000Z';
const fennick: OrganisationOverview = {
  id: sampleIds.org,
  name: 'Fennick Clinics',
  slug: 'fennick',
  status: 'suspended',
  memberCount: 208,
  seatLimit: 220,
  createdAt: at,
  lastActivityAt: at,
};

function show(
  items: OrganisationOverview[],
  { at: place = '/en/settings/org_admin', ...handlers }: Handlers & { at?: string } = {},
) {
  const asked: unknown[] = [];
  const api = installFakeApi({
    'GET /api/monitoring/all-organisations': ({ query }) => {
      asked.push(query);
      return { items, nextCursor: null };
    },
    ...handlers,
  });
  renderInOrganisation(<InstallationPage />, { path: '/:locale/settings/org_admin', at: place });
  return { ...api, asked };
}

it('lists all organisations with state and counts, each leading to its page', async () => {
  show([fennick]);
  const link = await screen.findByRole('link', { name: 'Fennick Clinics' });
  expect(link).toHaveAttribute('href', `/en/settings/org_admin/${sampleIds.org}`);
  expect(screen.getByRole('cell', { name: 'Suspended' })).toBeInTheDocument();
  expect(screen.getByRole('cell', { name: '208 of 220' })).toBeInTheDocument();
  expect(screen.getByRole('columnheader', { name: 'Organisation' })).toHaveAttribute('aria-sort', 'ascending');
});

it('orders and filters by what stands in the address', async () => {
  const { asked } = show([fennick], { at: '/en/settings/org_admin?status=suspended' });
  await userEvent.click(await screen.findByRole('button', { name: 'Members' }));
  expect(asked.at(-1)).toMatchObject({ status: 'suspended', sort: 'members' });
  expect(screen.getByRole('columnheader', { name: 'Members' })).toHaveAttribute('aria-sort', 'descending');
});

it('says that nothing fits, which is not the same as nothing', async () => {
  show([], { at: '/en/settings/org_admin?status=waiting' });
  expect(await screen.findByText('No organisation fits')).toBeInTheDocument();
});

it('makes one for its first owner', async () => {
  const create = 'POST /api/org/all-organisations';
  const { calls } = show([]);
  await userEvent.click(await screen.findByRole('button', { name: 'Create organisation' }));
  await userEvent.click(await screen.findByRole('button', { name: 'Create and invite' }));
  expect(screen.getByText('Enter an email address.')).toBeInTheDocument();
  expect(calls.filter(({ route }) => route === create)).toEqual([]);
});
