import { expect, it } from '@jest/globals';
import type { OrganisationOverview } from '@parley/contracts';
import { screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { installFakeApi, refuse, type Handlers } from '../../../testing/fake-api.ts';
import { renderInOrganisation } from '../../../testing/render.tsx';
import { sampleIds } from '../../../testing/samples.ts';
import { InstallationPage } from '../installation-page.tsx';

const at = '2026-11-21T10:41:00.000Z';
const fennick: OrganisationOverview = {
  id: sampleIds.org,
  name: 'Fennick Clinics',
  slug: 'fennick',
  status: 'suspended',
  approval: 'approved',
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
    'GET /api/org/approvals': () => ({ unapproved: 0 }),
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

it('filters by what asks for approval, and approves in the row', async () => {
  const put = 'PUT /api/org/all-organisations/:orgId/approval';
  const { asked, calls } = show([{ ...fennick, approval: 'requested' }], {
    at: '/en/settings/org_admin?approval=requested',
    [put]: () => refuse('platform.unavailable'),
  });
  expect(await screen.findByRole('cell', { name: /Asks for approval/ })).toBeInTheDocument();
  expect(asked.at(-1)).toMatchObject({ approval: 'requested' });
  await userEvent.click(screen.getByRole('button', { name: /^Approve.*Fennick Clinics/ }));
  expect(calls.find(({ route }) => route === put)?.body).toEqual({ isApproved: true });
});

it('approves all that are not approved after asking, some at a time', async () => {
  let left = 60;
  const { calls } = show([fennick], {
    'GET /api/org/approvals': () => ({ unapproved: left }),
    'POST /api/org/approvals': () => {
      const approved = Math.min(left, 50);
      left -= approved;
      return { approved, isMore: approved === 50 };
    },
  });
  await userEvent.click(await screen.findByRole('button', { name: 'Approve all' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Approve 60 organisations?' }));
  await userEvent.click(dialog.getByRole('button', { name: 'Approve all' }));
  expect(await screen.findByText('60 organisations approved')).toBeInTheDocument();
  expect(calls.filter(({ route }) => route === 'POST /api/org/approvals')).toHaveLength(2);
  await waitFor(() => expect(screen.queryByText(/aren’t approved/)).toBeNull());
});
