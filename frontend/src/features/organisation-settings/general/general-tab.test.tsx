import { expect, it } from '@jest/globals';
import type { Organisation } from '@parley/contracts';
import { screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { installFakeApi, refuseOld, type Handlers } from '../../../testing/fake-api.ts';
import { renderInOrganisation } from '../../../testing/render.tsx';
import { sampleIds, sampleOrganisation } from '../../../testing/samples.ts';
import { OrganisationSettingsPage } from '../organisation-settings-page.tsx';

const update = 'PATCH /api/org/organisations/:orgId';

function show(handlers: Handlers, who: Pick<Partial<Organisation>, 'approval'> = {}) {
  const api = installFakeApi(handlers);
  renderInOrganisation(<OrganisationSettingsPage />, {
    path: '/:locale/settings/org_admin/:orgId',
    at: `/en/settings/org_admin/${sampleIds.org}`,
    ...who,
  });
  return api;
}

it('sends what was changed, and nothing else', async () => {
  const { calls } = show({ [update]: () => ({ ...sampleOrganisation, timeZone: 'Europe/Berlin', version: 2 }) });
  expect(screen.queryByRole('button', { name: 'Save changes' })).toBeNull();
  await userEvent.selectOptions(screen.getByLabelText('Time zone'), 'Europe/Berlin');
  await userEvent.click(screen.getByRole('button', { name: 'Save changes' }));
  expect(calls.map(({ body }) => body)).toEqual([{ version: 1, timeZone: 'Europe/Berlin' }]);
});

it('shows what another admin has saved, and replaces it when one saves once more', async () => {
  const theirs: Organisation = { ...sampleOrganisation, name: 'Lindmoor Power', version: 7 };
  let answer: () => Organisation | ReturnType<typeof refuseOld> = () => refuseOld(theirs);
  const { calls } = show({ [update]: () => answer() });
  await userEvent.type(screen.getByLabelText('Name'), ' North');
  await userEvent.click(screen.getByRole('button', { name: 'Save changes' }));
  expect(await screen.findByText(/It is now: Lindmoor Power, English, Europe\/Oslo/)).toBeInTheDocument();
  answer = () => ({ ...theirs, name: 'Lindmoor Energy North', version: 8 });
  await userEvent.click(screen.getByRole('button', { name: 'Save changes' }));
  expect(calls.map(({ body }) => body)).toEqual([
    { version: 1, name: 'Lindmoor Energy North' },
    { version: 7, name: 'Lindmoor Energy North' },
  ]);
});

it('does not save an organisation without a name', async () => {
  const { calls } = show({});
  await userEvent.clear(screen.getByLabelText('Name'));
  await userEvent.click(screen.getByRole('button', { name: 'Save changes' }));
  expect(screen.getByText('Enter the name that its people see.')).toBeInTheDocument();
  expect(calls).toEqual([]);
});

it('says what it means that the organisation is not approved, and asks once', async () => {
  const ask = 'POST /api/org/approval-request';
  const { calls } = show(
    {
      [ask]: () => ({ ...sampleOrganisation, approval: 'requested', version: 2 }),
      'GET /api/org/organisations': () => ({ items: [sampleOrganisation], nextCursor: null }),
    },
    { approval: 'none' },
  );
  expect(screen.getByText(/shares its turns with all others/)).toBeInTheDocument();
  await userEvent.click(screen.getByRole('button', { name: 'Ask for approval' }));
  expect(calls.filter(({ route }) => route === ask)).toHaveLength(1);
});

it('tells that its admins have asked for an approval, and nothing once there is one', () => {
  show({}, { approval: 'requested' });
  expect(screen.getByText(/You asked the platform admins/)).toBeInTheDocument();
  expect(screen.queryByRole('button', { name: 'Ask for approval' })).toBeNull();
});

it('says nothing of approvals in an organisation that has one', () => {
  show({});
  expect(screen.queryByText(/approve/)).toBeNull();
});
