import { describe, expect, it } from '@jest/globals';
import { screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import type { AddressVerdict, Member } from '@parley/contracts';
import type { UserId } from '@parley/protocol';
import type { OrgRole } from '@parley/contracts/permissions';
import { installFakeApi, refuse, refuseOld, type Handlers } from '../../../../testing/fake-api.ts';
import {
  memberMe,
  memberNoor,
  sampleGroups,
  sampleInvitation,
  sampleLink,
  sampleRoles,
} from '../../../../testing/people-samples.ts';
import { renderInOrganisation } from '../../../../testing/render.tsx';
import { sampleIds } from '../../../../testing/samples.ts';
import { OrganisationSettingsPage } from '../../organisation-settings-page.tsx';

const page = <Item,>(items: Item[]) => ({ items, nextCursor: null });
const verdictOf = (line: string): AddressVerdict =>
  line.startsWith('noor') ? 'member' : line.startsWith('hanne') ? 'invited' : line.includes('.') ? 'fine' : 'malformed';

function show(handlers: Handlers = {}, { tab = 'members', role = 'owner' as OrgRole } = {}) {
  const api = installFakeApi({
    'GET /api/org/members': () => page([memberMe, memberNoor]),
    'GET /api/org/invitations': () => page([sampleInvitation, sampleLink]),
    'GET /api/org/roles': () => ({ items: sampleRoles }),
    'GET /api/org/groups': () => ({ items: sampleGroups }),
    'GET /api/org/seats': () => ({ used: 2, held: 1, limit: 500 }),
    'POST /api/org/invitations/report': ({ body }) => ({
      lines: body.lines.map((address) => ({ address, verdict: verdictOf(address) })),
      seatsLeft: 497,
    }),
    'GET /api/auth/password-resets': () => ({ sendsMail: true, contacts: [] }),
    ...handlers,
  });
  renderInOrganisation(<OrganisationSettingsPage />, {
    path: '/:locale/settings/org_admin/:orgId',
    at: `/en/settings/org_admin/${sampleIds.org}?tab=${tab}`,
    role,
  });
  const sent = (route: string) => api.calls.filter((call) => call.route === route).map(({ body }) => body);
  return { ...api, sent };
}
async function openDialog() {
  await userEvent.click(await screen.findByRole('button', { name: 'Invite people' }));
  return screen.findByRole('dialog', { name: 'Invite people' });
}

describe('inviting by mail', () => {
  it('says of each address whether it gets a mail, and sends to those that do', async () => {
    const { sent } = show({ 'POST /api/org/invitations': () => ({ items: [sampleInvitation], leftOut: [] }) });
    await openDialog();
    await userEvent.type(await screen.findByLabelText('Email addresses'), 'mira@x.org,noor@x.org ');
    await userEvent.paste('Name;E-mail\nOdd;odd@x.org\nHanne;hanne@x.org');
    expect(await screen.findByText('noor@x.org is already a member and gets no email.')).toBeInTheDocument();
    expect(await screen.findByText(/^hanne@x.org is already invited/)).toBeInTheDocument();
    expect(screen.getByText('495 of 500 seats left after these')).toBeInTheDocument();
    await userEvent.type(screen.getByLabelText('Message'), 'Welcome');
    await userEvent.click(screen.getByRole('button', { name: 'Send 2 invitations' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(sent('POST /api/org/invitations')).toMatchObject([
      {
        people: [{ email: 'mira@x.org' }, { email: 'odd@x.org' }],
        role: 'member',
        groupIds: [],
        message: 'Welcome',
        days: 7,
      },
    ]);
  });

  it('keeps the ids of a form, so that sending again after a failure is harmless', async () => {
    let tries = 0;
    const { sent } = show({
      'POST /api/org/invitations': () => {
        tries += 1;
        return tries === 1 ? refuse('org.seats-full') : { items: [sampleInvitation], leftOut: [] };
      },
    });
    await openDialog();
    await userEvent.type(await screen.findByLabelText('Email addresses'), 'mira@x.org,');
    const send = await screen.findByRole('button', { name: 'Send 1 invitation' });
    await userEvent.click(send);
    expect(await screen.findByRole('alert')).toBeInTheDocument();
    await userEvent.click(send);
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    const [first, second] = sent('POST /api/org/invitations');
    expect(first).toEqual(second);
  });

  it('takes what still stands in the field, asks for an address where there is none, and lets one be taken back', async () => {
    const { sent } = show({ 'POST /api/org/invitations': () => ({ items: [sampleInvitation], leftOut: [] }) });
    await openDialog();
    await userEvent.click(await screen.findByRole('button', { name: 'Send invitations' }));
    expect(screen.getByText('Enter the email address of someone to invite.')).toBeInTheDocument();
    await userEvent.type(screen.getByLabelText('Email addresses'), 'oops,mira@x.org');
    await userEvent.click(screen.getByRole('button', { name: 'Remove oops' }));
    await userEvent.click(await screen.findByRole('button', { name: 'Send 1 invitation' }));
    await waitFor(() =>
      expect(sent('POST /api/org/invitations')).toMatchObject([{ people: [{ email: 'mira@x.org' }] }]),
    );
  });

  it('tells who was left out after all', async () => {
    show({
      'POST /api/org/invitations': () => ({
        items: [],
        leftOut: [{ email: 'mira@x.org', verdict: 'invited' as const }],
      }),
    });
    await openDialog();
    await userEvent.type(await screen.findByLabelText('Email addresses'), 'mira@x.org,');
    await userEvent.click(await screen.findByRole('button', { name: 'Send 1 invitation' }));
    expect(await screen.findByText(/^Nobody was invited\. Left out:/)).toBeInTheDocument();
    expect(screen.getByText(/^mira@x.org is already invited/)).toBeInTheDocument();
  });
});

describe('inviting without a mail server', () => {
  const noMail: Handlers = { 'GET /api/auth/password-resets': () => ({ sendsMail: false, contacts: [] }) };
  const invited = (email: string, at: number) => ({
    ...sampleInvitation,
    id: `inv_${String(at).padStart(26, '0')}` as typeof sampleInvitation.id,
    email,
  });
  const items = [invited('mira@x.org', 1), invited('odd@x.org', 2)];
  const addressOf = (token: string) => `${location.origin}/en/invitation#${token}`;

  it('says so before, and shows each link once, to be copied one by one or all at once', async () => {
    const links = items.map(({ id: invitationId, email }) => ({ invitationId, token: `secret of ${email}` }));
    show({ ...noMail, 'POST /api/org/invitations': () => ({ items, leftOut: [], links }) });
    await openDialog();
    expect(await screen.findByText('Parley has no email server, so it sends no email.')).toBeInTheDocument();
    const user = userEvent.setup();
    await user.type(screen.getByLabelText('Email addresses'), 'mira@x.org,odd@x.org,');
    await user.click(await screen.findByRole('button', { name: 'Create 2 links' }));
    await user.click(await screen.findByRole('button', { name: 'Copy the link for odd@x.org' }));
    expect(await navigator.clipboard.readText()).toBe(addressOf('secret of odd@x.org'));
    await user.click(screen.getByRole('button', { name: 'Copy all' }));
    expect(await navigator.clipboard.readText()).toBe(
      ['mira@x.org', 'odd@x.org'].map((email) => `${email}\t${addressOf(`secret of ${email}`)}`).join('\n'),
    );
    await user.click(screen.getByRole('button', { name: 'Done' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(document.body.textContent).not.toContain('secret of');
  });

  it('shows the links of the answer also where a mail server was believed to be there', async () => {
    const links = items.map(({ id: invitationId, email }) => ({ invitationId, token: `secret of ${email}` }));
    show({ 'POST /api/org/invitations': () => ({ items, leftOut: [], links }) });
    await openDialog();
    await userEvent.type(await screen.findByLabelText('Email addresses'), 'mira@x.org,odd@x.org,');
    await userEvent.click(await screen.findByRole('button', { name: 'Send 2 invitations' }));
    expect(await screen.findByText('2 links are ready.')).toBeInTheDocument();
    expect(screen.getByRole('button', { name: 'Copy the link for odd@x.org' })).toBeInTheDocument();
  });

  it('says where a link can be had that did not arrive', async () => {
    show({ ...noMail, 'POST /api/org/invitations': () => ({ items, leftOut: [], links: [] }) });
    await openDialog();
    await userEvent.type(await screen.findByLabelText('Email addresses'), 'mira@x.org,odd@x.org,');
    await userEvent.click(await screen.findByRole('button', { name: 'Create 2 links' }));
    expect(await screen.findByText(/^2 invitations were created.*“New link”/)).toBeInTheDocument();
  });

  it('makes a new link for an open invitation, after asking', async () => {
    const link = { invitationId: sampleInvitation.id, token: 'secret-3' };
    const resend = 'POST /api/org/invitations/:invitationId/resend';
    const { sent } = show({ ...noMail, [resend]: () => ({ ...sampleInvitation, mail: 'waiting', link }) });
    await userEvent.click(await screen.findByRole('button', { name: 'New link' }));
    await userEvent.click(await screen.findByRole('button', { name: 'Create link' }));
    expect(await screen.findByLabelText('Invitation link')).toHaveValue(addressOf('secret-3'));
    expect(sent(resend)).toEqual([{ version: 2 }]);
  });
});

describe('inviting by a link', () => {
  it('shows it once, to be copied', async () => {
    const { sent } = show({ 'POST /api/org/invitation-links': () => ({ invitation: sampleLink, token: 'secret-1' }) });
    await openDialog();
    await userEvent.click(await screen.findByLabelText('By link'));
    await userEvent.click(screen.getByRole('button', { name: 'Make link' }));
    expect(screen.getByText('Enter a name by which you find it in the list.')).toBeInTheDocument();
    await userEvent.type(screen.getByLabelText('Name of the link'), 'Field south');
    await userEvent.type(screen.getByLabelText('Only for addresses at'), '@lindmoor.example');
    await userEvent.click(screen.getByRole('button', { name: 'Make link' }));
    const address = await screen.findByLabelText('Invitation link');
    expect(address).toHaveValue(`${location.origin}/en/invitation#secret-1`);
    const user = userEvent.setup();
    await user.click(screen.getByRole('button', { name: 'Copy link' }));
    expect(await screen.findByText('Copied')).toBeInTheDocument();
    expect(await navigator.clipboard.readText()).toBe(`${location.origin}/en/invitation#secret-1`);
    expect(sent('POST /api/org/invitation-links')).toMatchObject([
      { label: 'Field south', domain: 'lindmoor.example', places: 10, days: 7, role: 'member' },
    ]);
    expect(screen.getByText(/^A place is taken when somebody joins, not before/)).toBeInTheDocument();
  });

  it('is replaced by a new one, which is shown once too', async () => {
    const { sent } = show({
      'POST /api/org/invitation-links/:invitationId/secret': ({ body }) =>
        body.version === 2
          ? refuseOld({ ...sampleLink, version: 3, taken: 4 })
          : { invitation: sampleLink, token: 'secret-2' },
    });
    await userEvent.click(await screen.findByRole('button', { name: 'Replace link' }));
    const dialog = within(await screen.findByRole('dialog'));
    await userEvent.click(dialog.getByRole('button', { name: 'Replace link' }));
    expect(await dialog.findByText(/Places used now: 4\.$/)).toBeInTheDocument();
    await userEvent.click(dialog.getByRole('button', { name: 'Replace link' }));
    expect(await screen.findByLabelText('Invitation link')).toHaveValue(`${location.origin}/en/invitation#secret-2`);
    expect(sent('POST /api/org/invitation-links/:invitationId/secret')).toEqual([{ version: 2 }, { version: 3 }]);
  });
});

describe('an open invitation', () => {
  it('is sent again at once, and whoever has joined meanwhile is shown where it stood', async () => {
    let members: Member[] = [memberMe];
    const joined = { ...memberNoor, userId: memberNoor.userId.replace('2', '9') as UserId };
    const { sent } = show({
      'GET /api/org/members': () => page(members),
      'POST /api/org/invitations/:invitationId/resend': () => {
        members = [memberMe, { ...joined, joinedAt: new Date().toISOString() }];
        return { ...sampleInvitation, version: 3, mail: 'waiting' };
      },
    });
    await screen.findByText('Members, 2');
    await userEvent.click(await screen.findByRole('button', { name: 'Send again' }));
    expect(await screen.findByText('Joined just now')).toBeInTheDocument();
    expect(screen.getByText('Invited, 3')).toBeInTheDocument();
    await waitFor(() => expect(screen.queryByText('Joined just now')).toBeNull());
    expect(screen.getByText('Invited, 2')).toBeInTheDocument();
    expect(sent('POST /api/org/invitations/:invitationId/resend')).toEqual([{ version: 2 }]);
  });

  it('is revoked after being asked', async () => {
    const { calls } = show({ 'DELETE /api/org/invitations/:invitationId': () => undefined });
    await userEvent.click(await screen.findByRole('button', { name: 'Actions for hanne.morvik@lindmoor.example' }));
    await userEvent.click(await screen.findByRole('menuitem', { name: 'Revoke' }));
    await userEvent.click(await screen.findByRole('button', { name: 'Revoke invitation' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(calls.map(({ route }) => route)).toContain('DELETE /api/org/invitations/:invitationId');
  });
});

describe('the tabs of the console', () => {
  const tabs = async () => (await screen.findAllByRole('link')).map((link) => link.textContent);

  it('are all there for an admin; the first one opens where the address names none that is', async () => {
    show({}, { tab: 'nothing', role: 'admin' });
    expect(await tabs()).toEqual(['General', 'Members', 'Models', 'API keys', 'Webhooks', 'Audit log']);
    expect(screen.getByLabelText('Name')).toHaveValue('Lindmoor Energy');
  });

  it('are only those that the role allows: who may only look is offered nothing else', async () => {
    const { calls } = show({}, { role: 'member' });
    expect(await screen.findByText('Noor Halvani')).toBeInTheDocument();
    expect(await tabs()).toEqual(['Members']);
    expect(screen.queryByRole('button', { name: /^(Invite|Actions for)/ })).toBeNull();
    expect(calls.map(({ route }) => route)).not.toContain('GET /api/org/invitations');
  });
});
