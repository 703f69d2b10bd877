import { describe, expect, it } from '@jest/globals';
import { screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import type { Invitation, Member } from '@parley/contracts';
import type { OrgRole } from '@parley/contracts/permissions';
import { installFakeApi, refuse, refuseOld, type Handlers } from '../../../testing/fake-api.ts';
import { loseConnectionForLong, withPassingTime } from '../../../testing/lost-connection.ts';
import {
  inDays,
  memberMe,
  memberNoor,
  sampleGroups,
  sampleInvitation,
  sampleLink,
  sampleRoles,
} from '../../../testing/people-samples.ts';
import { renderInOrganisation } from '../../../testing/render.tsx';
import { sampleIds } from '../../../testing/samples.ts';
import { OrganisationSettingsPage } from '../organisation-settings-page.tsx';

const page = <Item,>(items: Item[]) => ({ items, nextCursor: null });

function show(handlers: Handlers = {}, { search = '', role = 'owner' as OrgRole } = {}) {
  const api = installFakeApi({
    'GET /api/org/members': () => page([memberMe, memberNoor]),
    'GET /api/org/invitations': () => page([sampleInvitation, sampleLink]),
    'GET /api/org/roles': () => ({ items: sampleRoles }),
    'GET /api/org/groups': () => ({ items: sampleGroups }),
    'GET /api/org/seats': () => ({ used: 2, held: 1, limit: 500 }),
    ...handlers,
  });
  renderInOrganisation(<OrganisationSettingsPage />, {
    path: '/:locale/settings/org_admin/:orgId',
    at: `/en/settings/org_admin/${sampleIds.org}?tab=members${search}`,
    role,
  });
  const sent = (route: string) => api.calls.find((call) => call.route === route)?.body;
  return { ...api, sent };
}
const rowOf = async (name: string | RegExp) => within(await screen.findByRole('row', { name }));
const actOn = async (name: string, act: string) => {
  await userEvent.click(await screen.findByRole('button', { name: `Actions for ${name}` }));
  await userEvent.click(await screen.findByRole('menuitem', { name: act }));
};

describe('the members of an organisation', () => {
  it('stand below those who are invited, with their numbers and the seats', async () => {
    show();
    expect(await screen.findByText('2 of 500 seats, 1 held for invitations')).toBeInTheDocument();
    const rows = (await screen.findAllByRole('row')).slice(1).map((row) => row.textContent);
    expect(rows.map((text) => /^(Invited, 2|hanne|Link|Members, 2|Ines|Noor)/.exec(text ?? '')?.[0])).toEqual([
      'Invited, 2',
      'hanne',
      'Link',
      'Members, 2',
      'Ines',
      'Noor',
    ]);
    expect((await rowOf(/hanne/)).getByText('Sent, not opened')).toBeInTheDocument();
    expect((await rowOf(/Link for/)).getByText('3 of 10 places used')).toBeInTheDocument();
    expect((await rowOf(/Noor/)).getByText('Service desk')).toBeInTheDocument();
    expect((await rowOf(/Ines/)).getByText('you')).toBeInTheDocument();
  });

  it.each<[string, Partial<Invitation>]>([
    ['Waiting for its email', { mail: 'waiting' }],
    ['Pass its link on yourself', { mail: 'kept' }],
    ['Its email was refused', { mail: 'failed' }],
    ['Opened 2 minutes ago', { openedAt: inDays(-2.5 / 1440) }],
    ['Ends tomorrow', { endsAt: inDays(1) }],
    ['Ended', { endsAt: inDays(-1) }],
  ])('say of an invitation: %s', async (words, over) => {
    show({ 'GET /api/org/invitations': () => page([{ ...sampleInvitation, ...over }]) });
    expect((await rowOf(/hanne/)).getByText(words)).toBeInTheDocument();
  });

  it('are filtered by the address, by one of role, group and state at a time', async () => {
    const asked: unknown[] = [];
    show(
      {
        'GET /api/org/members': ({ query }) => {
          asked.push(query);
          return page([memberNoor]);
        },
      },
      { search: '&text=no&role=member&status=active' },
    );
    expect(await screen.findByText('Members, 1')).toBeInTheDocument();
    expect(screen.queryByText(/hanne/)).toBeNull();
    await userEvent.click(screen.getByRole('button', { name: 'State' }));
    await userEvent.click(await screen.findByRole('menuitemradio', { name: 'Suspended' }));
    await waitFor(() => expect(asked.at(-1)).toEqual({ text: 'no', status: 'suspended' }));
    expect(asked[0]).toEqual({ text: 'no', role: 'member' });
  });

  it('are one, and invite', async () => {
    show({ 'GET /api/org/members': () => page([memberMe]), 'GET /api/org/invitations': () => page([]) });
    expect(await screen.findByText('Only you are here so far')).toBeInTheDocument();
    expect(screen.queryByText(/^Invited/)).toBeNull();
  });

  it('tell no match, failing and no permission apart; invitations that fail leave the members', async () => {
    show({ 'GET /api/org/members': () => page([]) }, { search: '&text=zzz' });
    expect(await screen.findByText('Nobody matches')).toBeInTheDocument();
    show({ 'GET /api/org/members': () => refuse('platform.internal') });
    expect(await screen.findByText('The members could not be loaded')).toBeInTheDocument();
    show({ 'GET /api/org/members': () => refuse('platform.forbidden') });
    expect(await screen.findByText('You cannot see this')).toBeInTheDocument();
    show({ 'GET /api/org/invitations': () => refuse('platform.internal') });
    expect(await screen.findByText(/^The invitations could not be loaded/)).toBeInTheDocument();
    expect(await screen.findByText('Noor Halvani')).toBeInTheDocument();
  });
});

describe('what may be done about a member', () => {
  it('is off for somebody who may do more, and not there for oneself', async () => {
    const boss: Member = { ...memberNoor, role: 'owner' };
    show({ 'GET /api/org/members': () => page([{ ...memberMe, role: 'admin' }, boss]) }, { role: 'admin' });
    await userEvent.click(await screen.findByRole('button', { name: 'Actions for Noor Halvani' }));
    expect(await screen.findByText('This person has permissions that you don’t have')).toBeInTheDocument();
    for (const name of ['Change role', 'Suspend', 'Remove'])
      expect(screen.getByRole('menuitem', { name })).toHaveAttribute('aria-disabled', 'true');
    expect(screen.queryByRole('menuitem', { name: 'Make owner in my place' })).toBeNull();
    await userEvent.keyboard('{Escape}');
    await userEvent.click(screen.getByRole('button', { name: 'Actions for Ines Vardale' }));
    await waitFor(() =>
      expect(screen.getAllByRole('menuitem').map((item) => item.textContent)).toEqual(['Change groups']),
    );
  });

  it('a role within one’s own rights; where somebody was faster it says which, and takes that for the next try', async () => {
    const versions: number[] = [];
    show(
      {
        'PUT /api/org/members/:userId/role': ({ body }) => {
          versions.push(body.version);
          if (body.version === 4) return refuseOld({ ...memberNoor, role: 'guest', version: 5 });
          return { ...memberNoor, role: body.role, version: 6 };
        },
      },
      { role: 'admin' },
    );
    await actOn('Noor Halvani', 'Change role');
    const choice = await screen.findByLabelText('Role');
    expect(
      within(choice)
        .getAllByRole('option')
        .map((option) => option.textContent),
    ).toEqual(['Admin', 'Analyst', 'Member', 'Guest']);
    await userEvent.selectOptions(choice, 'Analyst');
    await userEvent.click(screen.getByRole('button', { name: 'Change role' }));
    expect(await screen.findByText('The role is now: Guest.')).toBeInTheDocument();
    await userEvent.click(screen.getByRole('button', { name: 'Change role' }));
    await waitFor(() => expect(versions).toEqual([4, 5]));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  });

  it('groups', async () => {
    const { sent } = show({ 'PUT /api/org/members/:userId/groups': () => memberNoor });
    await actOn('Noor Halvani', 'Change groups');
    await userEvent.click(await screen.findByRole('button', { name: 'Groups: Service desk' }));
    await userEvent.click(await screen.findByRole('menuitemcheckbox', { name: 'Finance' }));
    await userEvent.click(screen.getByRole('button', { name: 'Change groups' }));
    await waitFor(() =>
      expect(sent('PUT /api/org/members/:userId/groups')).toEqual({
        version: 4,
        groupIds: [sampleGroups[1]?.id, sampleGroups[0]?.id],
      }),
    );
  });
});

describe('what takes something from a member', () => {
  it('removing names the person and needs a reason', async () => {
    const reasons: string[] = [];
    show({
      'DELETE /api/org/members/:userId': ({ query }) => {
        reasons.push(query.reason);
        return undefined;
      },
    });
    await actOn('Noor Halvani', 'Remove');
    expect(await screen.findByRole('dialog', { name: 'Remove Noor Halvani?' })).toBeInTheDocument();
    await userEvent.click(screen.getByRole('button', { name: 'Remove person' }));
    expect(screen.getByText('Say why, in a few words.')).toBeInTheDocument();
    expect(reasons).toEqual([]);
    await userEvent.type(screen.getByLabelText('Reason'), 'Left the firm');
    await userEvent.click(screen.getByRole('button', { name: 'Remove person' }));
    await waitFor(() => expect(reasons).toEqual(['Left the firm']));
  });

  it('suspending needs a reason, restoring does not', async () => {
    const bodies: unknown[] = [];
    let stored = memberNoor;
    show({
      'GET /api/org/members': () => page([memberMe, stored]),
      'PUT /api/org/members/:userId/status': ({ body }) => {
        bodies.push(body);
        const reason = body.status === 'suspended' ? body.reason : null;
        stored = { ...stored, status: body.status, reason, version: stored.version + 1 };
        return stored;
      },
    });
    await actOn('Noor Halvani', 'Suspend');
    await userEvent.type(await screen.findByLabelText('Reason'), 'On leave');
    await userEvent.click(screen.getByRole('button', { name: 'Suspend person' }));
    expect(await screen.findByText('On leave')).toBeInTheDocument();
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    await actOn('Noor Halvani', 'Restore');
    await waitFor(() => expect(screen.queryByText('On leave')).toBeNull());
    expect(bodies).toEqual([
      { version: 4, status: 'suspended', reason: 'On leave' },
      { version: 5, status: 'active' },
    ]);
  });

  it('an owner hands over after being asked', async () => {
    const { sent } = show({ 'POST /api/org/ownership': () => undefined });
    await actOn('Noor Halvani', 'Make owner in my place');
    await userEvent.click(await screen.findByRole('button', { name: 'Hand over ownership' }));
    await waitFor(() => expect(sent('POST /api/org/ownership')).toEqual({ userId: memberNoor.userId }));
  });
});

describe('members after a long loss of the connection', () => {
  const person = withPassingTime();

  it('stay, with what changes them off and the reason for it', async () => {
    show();
    const invite = await screen.findByRole('button', { name: 'Invite people' });
    await screen.findByText('Noor Halvani');
    await loseConnectionForLong();
    expect(invite).toHaveAttribute('aria-disabled', 'true');
    await person.click(screen.getByRole('button', { name: 'Actions for Noor Halvani' }));
    expect(await screen.findByRole('menuitem', { name: 'Remove' })).toHaveAttribute('aria-disabled', 'true');
  });
});
