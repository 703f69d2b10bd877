import { describe, expect, it } from '@jest/globals';
import type { PlatformOrganisation } from '@parley/contracts';
import type { OrgId } from '@parley/protocol';
import { screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { installFakeApi, refuse, refuseOld, type Handlers } from '../../testing/fake-api.ts';
import { renderInOrganisation } from '../../testing/render.tsx';
import { sampleIds } from '../../testing/samples.ts';
import { OrganisationSettingsPage } from './organisation-settings-page.tsx';

const at = '2026-11-21T10:41:00.000Z';
const other = `org_${'9'.padStart(26, '0')}` as OrgId;
const fennick: PlatformOrganisation = {
  id: other,
  name: 'Fennick Clinics',
  slug: 'fennick',
  status: 'active',
  suspension: null,
  approval: 'approved',
  members: { active: 206, suspended: 2 },
  seatsHeld: 3,
  seatLimit: 220,
  owners: [{ userId: sampleIds.user, name: 'Runa Fjelder', email: 'runa@fennick.example' }],
  ownerInvitation: null,
  createdAt: at,
  version: 4,
};
const suspended: PlatformOrganisation = {
  ...fennick,
  status: 'suspended',
  suspension: { reason: 'Unpaid since May', by: 'Greta Solvain', at },
  version: 5,
};
const status = 'PUT /api/org/all-organisations/:orgId/status';

const noLimits: Handlers = {
  'GET /api/auth/organisation-limits/:orgId': () => ({ items: [] }),
  'GET /api/org/organisation-limits/:orgId': () => ({ items: [] }),
  'GET /api/chat/organisation-limits/:orgId': () => ({ items: [] }),
  'GET /api/billing/organisation-limits/:orgId': () => ({ items: [] }),
  'GET /api/monitoring/organisation-limits/:orgId': () => ({ items: [] }),
};

function show(handlers: Handlers, { orgId = other, ...who }: { orgId?: OrgId; isPlatformAdmin?: boolean } = {}) {
  const { name, slug, memberCount, seatLimit, createdAt } = { ...fennick, memberCount: 208 };
  const stands = { status: 'active', approval: 'approved' } as const;
  const overview = { id: other, name, slug, ...stands, memberCount, seatLimit, createdAt };
  const api = installFakeApi({
    'GET /api/org/all-organisations/:orgId': () => fennick,
    'GET /api/monitoring/all-organisations/:orgId': () => ({ ...overview, lastActivityAt: at }),
    ...noLimits,
    ...handlers,
  });
  renderInOrganisation(<OrganisationSettingsPage />, {
    path: '/:locale/settings/org_admin/:orgId',
    at: `/en/settings/org_admin/${orgId}`,
    isPlatformAdmin: true,
    ...who,
  });
  return api;
}

describe('an organisation as platform admins see it', () => {
  it('shows counts and who answers for it, and no tab with content', async () => {
    show({});
    expect(await screen.findByText('Runa Fjelder')).toBeInTheDocument();
    expect(screen.getByText('208 of 220')).toBeInTheDocument();
    expect(screen.getByText('3 more are held for invitations.')).toBeInTheDocument();
    expect(screen.queryByRole('link', { name: 'Members' })).toBeNull();
  });

  it('is suspended for a reason only, and resumed by one click', async () => {
    let now = fennick;
    const { calls } = show({
      'GET /api/org/all-organisations/:orgId': () => now,
      [status]: () => (now = now.suspension ? { ...fennick, version: 6 } : suspended),
    });
    await userEvent.click(await screen.findByRole('button', { name: 'Suspend' }));
    await userEvent.click(screen.getByRole('button', { name: 'Suspend organisation' }));
    expect(screen.getByText('Say why, in a few words.')).toBeInTheDocument();
    await userEvent.type(screen.getByLabelText('Reason'), 'Unpaid since May{Enter}');
    expect(await screen.findByText('Unpaid since May')).toBeInTheDocument();
    await userEvent.click(screen.getByRole('button', { name: 'Resume' }));
    expect(await screen.findByRole('button', { name: 'Suspend' })).toBeInTheDocument();
    expect(calls.filter(({ route }) => route === status).map(({ body }) => body)).toEqual([
      { version: 4, status: 'suspended', reason: 'Unpaid since May' },
      { version: 5, status: 'active' },
    ]);
  });

  const put = 'PUT /api/org/all-organisations/:orgId/approval';

  it('is approved with one click, and shows that its admins asked for it', async () => {
    let now: PlatformOrganisation = { ...fennick, approval: 'requested' };
    const { calls } = show({
      'GET /api/org/all-organisations/:orgId': () => now,
      [put]: () => (now = { ...fennick, approval: 'approved', version: 5 }),
    });
    expect(await screen.findByText(/Its admins asked for approval\./)).toBeInTheDocument();
    expect(screen.getByText('Not approved')).toBeInTheDocument();
    await userEvent.click(screen.getByRole('button', { name: 'Approve' }));
    expect(await screen.findByText('Approved')).toBeInTheDocument();
    expect(screen.queryByText(/Its admins asked/)).toBeNull();
    expect(calls.find(({ route }) => route === put)?.body).toEqual({ isApproved: true });
  });

  it('loses its approval only after asking, and nothing where that is cancelled', async () => {
    let now = fennick;
    const { calls } = show({
      'GET /api/org/all-organisations/:orgId': () => now,
      [put]: () => (now = { ...fennick, approval: 'none', version: 5 }),
    });
    await userEvent.click(await screen.findByRole('button', { name: 'Withdraw approval' }));
    await userEvent.click(screen.getByRole('button', { name: 'Cancel' }));
    await userEvent.click(screen.getByRole('button', { name: 'Withdraw approval' }));
    const dialog = screen.getByRole('dialog', { name: 'Withdraw the approval of Fennick Clinics?' });
    expect(calls.filter(({ route }) => route === put)).toEqual([]);
    await userEvent.click(within(dialog).getByRole('button', { name: 'Withdraw approval' }));
    expect(await screen.findByRole('button', { name: 'Approve' })).toBeInTheDocument();
    expect(calls.filter(({ route }) => route === put).map(({ body }) => body)).toEqual([{ isApproved: false }]);
    expect(screen.queryByRole('dialog')).toBeNull();
  });

  it('shows what another admin has made of it meanwhile', async () => {
    let now = fennick;
    show({ 'GET /api/org/all-organisations/:orgId': () => now, [status]: () => refuseOld((now = suspended)) });
    await userEvent.click(await screen.findByRole('button', { name: 'Suspend' }));
    await userEvent.type(screen.getByLabelText('Reason'), 'Me too{Enter}');
    expect(await screen.findByText('Unpaid since May')).toBeInTheDocument();
  });

  it('says whose answer it waits for, and sends another invitation', async () => {
    const open = { id: `inv_${'1'.padStart(26, '0')}`, email: 'odd@x.example', endsAt: at };
    const waiting = {
      ...fennick,
      status: 'waiting',
      owners: [],
      ownerInvitation: open,
    } as unknown as PlatformOrganisation;
    const link = { invitationId: open.id, token: 'secret' };
    const invite = 'PUT /api/org/all-organisations/:orgId/owner-invitation';
    const { calls } = show({
      'GET /api/org/all-organisations/:orgId': () => waiting,
      [invite]: () => ({ ...waiting, link }) as never,
    });
    expect(await screen.findByText('odd@x.example')).toBeInTheDocument();
    await userEvent.click(screen.getByRole('button', { name: 'Send a new invitation' }));
    const address = screen.getByLabelText('Email of the first owner');
    await userEvent.clear(address);
    await userEvent.type(address, 'right@x.example{Enter}');
    expect(calls.find(({ route }) => route === invite)?.body).toMatchObject({ email: 'right@x.example' });
    expect(await screen.findByLabelText('Invitation link')).toHaveValue(`${location.origin}/en/invitation#secret`);
  });

  it('is not found where there is none, as for anybody else', async () => {
    show({ 'GET /api/org/all-organisations/:orgId': () => refuse('org.organisation-not-found') });
    expect(await screen.findByText('Organisation not found among yours')).toBeInTheDocument();
  });

  it('is nobody else’s to see', () => {
    const { calls } = show({}, { isPlatformAdmin: false });
    expect(screen.getByText('Organisation not found among yours')).toBeInTheDocument();
    expect(calls).toEqual([]);
  });

  it('stands beside the own tabs of an admin who belongs to it', async () => {
    show({}, { orgId: sampleIds.org });
    expect(await screen.findByRole('link', { name: 'Platform' })).toBeInTheDocument();
    expect(screen.getByRole('link', { name: 'Members' })).toBeInTheDocument();
  });
});

describe('the other limits of an organisation', () => {
  const emails = {
    quota: 'emails',
    used: null,
    ceiling: 500,
    defaultCeiling: 500,
    highest: 20_000,
    isSet: false,
  } as const;
  const storage = {
    quota: 'storage',
    used: 1_500_000_000,
    ceiling: 60_000_000_000,
    defaultCeiling: 50_000_000_000,
    highest: 100_000_000_000_000,
    isSet: true,
  } as const;
  const list = 'GET /api/org/organisation-limits/:orgId';
  const set = 'PUT /api/org/organisation-limits/:orgId/:quota';
  const setStorage = 'PUT /api/chat/organisation-limits/:orgId/:quota';
  const dialogOf = async (name: string) => {
    await userEvent.click(await screen.findByRole('button', { name: `Change limit: ${name}` }));
    return within(await screen.findByRole('dialog'));
  };

  it('are set, with a way back', async () => {
    const { calls } = show({
      [list]: () => ({ items: [emails] }),
      [set]: ({ body }) => ({ ...emails, isSet: body.ceiling !== null, ceiling: body.ceiling ?? 500 }),
    } as Handlers);
    const dialog = await dialogOf('Invitation emails per hour');
    const field = dialog.getByRole('textbox', { name: 'Limit' });
    await userEvent.clear(field);
    await userEvent.type(field, '20001');
    await userEvent.click(dialog.getByRole('button', { name: 'Change limit' }));
    expect(await dialog.findByText('Enter a number up to 20,000.')).toBeInTheDocument();
    await userEvent.clear(field);
    await userEvent.type(field, '2000');
    await userEvent.click(dialog.getByRole('button', { name: 'Change limit' }));
    await userEvent.click(await screen.findByRole('button', { name: 'Undo' }));
    const sent = () => calls.filter(({ route }) => route === set).map(({ body }) => body);
    await waitFor(() =>
      expect(sent()).toEqual([
        { ceiling: 2_000, seen: 500 },
        { ceiling: null, seen: 2_000 },
      ]),
    );
  });

  it('are in GB where they are of storage, and can be the default again', async () => {
    const { calls } = show({
      'GET /api/chat/organisation-limits/:orgId': () => ({ items: [storage] }),
      [setStorage]: () => ({ ...storage, ceiling: storage.defaultCeiling, isSet: false }),
    });
    expect(await screen.findByText('1.5 GB of 60 GB')).toBeInTheDocument();
    expect(screen.getByText('Set for this organisation, default 50 GB')).toBeInTheDocument();
    const dialog = await dialogOf('Storage');
    expect(dialog.getByRole('textbox', { name: 'Limit in GB' })).toHaveValue('60');
    await userEvent.click(dialog.getByRole('button', { name: 'Use the default limit' }));
    await waitFor(() =>
      expect(calls.find(({ route }) => route === setStorage)?.body).toEqual({ ceiling: null, seen: 60_000_000_000 }),
    );
  });

  it('say what another admin has set meanwhile', async () => {
    show({ [list]: () => ({ items: [emails] }), [set]: () => refuseOld({ ...emails, ceiling: 900, isSet: true }) });
    const dialog = await dialogOf('Invitation emails per hour');
    await userEvent.click(dialog.getByRole('button', { name: 'Change limit' }));
    expect(await dialog.findByText('The limit is now 900.')).toBeInTheDocument();
  });
});
