import { describe, expect, it, jest } from '@jest/globals';
import { act, screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import type { ActiveUser } from '@parley/contracts';
import type { UserId } from '@parley/protocol';
import type { OrgRole } from '@parley/contracts/permissions';
import { installFakeApi, refuse, type Handlers } from '../../testing/fake-api.ts';
import { loseConnectionForLong, withPassingTime } from '../../testing/lost-connection.ts';
import { memberMe, memberNoor, sampleGroups, sampleRoles } from '../../testing/people-samples.ts';
import { renderInOrganisation } from '../../testing/render.tsx';
import { ActiveUsersPage } from './active-users-page.tsx';

const active = ({ source: _source, joinedAt: _joinedAt, ...member }: typeof memberMe): ActiveUser => ({
  ...member,
  presence: 'online',
  actedAt: new Date().toISOString(),
  devices: [{ browser: 'Firefox 146', system: 'Linux' }],
  answers: 0,
});
const me = active(memberMe);
const noor: ActiveUser = { ...active(memberNoor), answers: 2 };
const kei: ActiveUser = {
  ...active(memberNoor),
  userId: memberNoor.userId.replace(/2$/, '3') as UserId,
  name: 'Kei Amasato',
  email: 'kei@lindmoor.example',
  presence: 'away',
  actedAt: null,
  devices: [],
};
const page = (...items: ActiveUser[]) => ({
  items,
  nextCursor: null,
  counts: { online: 2, idle: 0, answers: 2, askers: 1 },
});
const allDone = ({ body }: { body: { people: readonly { userId: UserId }[] } }) => ({
  results: body.people.map(({ userId }) => ({ userId, code: null })),
});

function show(handlers: Handlers = {}, { search = '', role = 'owner' as OrgRole } = {}) {
  const api = installFakeApi({
    'GET /api/monitoring/active-users': () => page(me, noor, kei),
    'GET /api/org/roles': () => ({ items: sampleRoles }),
    'GET /api/org/groups': () => ({ items: sampleGroups }),
    'GET /api/org/seats': () => ({ used: 3, held: 0, limit: null }),
    ...handlers,
  });
  renderInOrganisation(<ActiveUsersPage />, {
    path: '/:locale/settings/active_users',
    at: `/en/settings/active_users${search}`,
    role,
  });
  return api;
}
const rowOf = async (name: RegExp) => within(await screen.findByRole('row', { name }));
const actOn = async (name: string, act: string) => {
  await userEvent.click(await screen.findByRole('button', { name: `Actions for ${name}` }));
  await userEvent.click(await screen.findByRole('menuitem', { name: act }));
};
const giveReason = async () => userEvent.type(await screen.findByLabelText('Reason'), 'Lost laptop');

describe('who is active', () => {
  it('stands there with presence, last action, devices and running answers', async () => {
    show();
    const row = await rowOf(/Noor/);
    for (const text of ['Online', 'Firefox 146, Linux', 'Service desk', '2'])
      expect(row.getByText(text)).toBeInTheDocument();
    expect((await rowOf(/Kei/)).getByText('None yet')).toBeInTheDocument();
    expect((await rowOf(/Kei/)).getByText('0 devices')).toBeInTheDocument();
    expect(screen.getByText('of 3 members')).toBeInTheDocument();
    expect(screen.getByText('for 1 person')).toBeInTheDocument();
  });

  it('is filtered by what the address says; of role and group the last one counts', async () => {
    const asked: unknown[] = [];
    show(
      {
        'GET /api/monitoring/active-users': ({ query }) => {
          asked.push(query);
          return page(noor);
        },
      },
      { search: '?presence=online&role=member&text=no' },
    );
    await waitFor(() => expect(asked.at(-1)).toEqual({ presence: 'online', role: 'member', text: 'no' }));
    await userEvent.click(await screen.findByRole('button', { name: 'Group' }));
    await userEvent.click(await screen.findByRole('menuitemradio', { name: 'Service desk' }));
    await waitFor(() => expect(asked.at(-1)).toEqual({ presence: 'online', groupId: sampleGroups[1]?.id, text: 'no' }));
  });

  it('tells nobody else, no match, failing and no permission apart', async () => {
    show({ 'GET /api/monitoring/active-users': () => page(me) });
    expect(await screen.findByText('Only you are here so far')).toBeInTheDocument();
    const link = screen.getAllByRole('link', { name: 'Invite people' })[0];
    expect(link?.getAttribute('href')).toMatch(/org_admin\/org_\w+\?tab=members&invite=people$/);
    show({ 'GET /api/monitoring/active-users': () => page() }, { search: '?text=zzz' });
    expect(await screen.findByText('Nobody matches')).toBeInTheDocument();
    show({ 'GET /api/monitoring/active-users': () => refuse('platform.internal') });
    expect(await screen.findByText('Who is active could not be loaded')).toBeInTheDocument();
    show({ 'GET /api/monitoring/active-users': () => refuse('platform.forbidden') });
    expect(await screen.findByText('You cannot see this')).toBeInTheDocument();
  });
});

describe('what is done about people', () => {
  it('is tried first, says who stays and why, and is done to the others with a reason', async () => {
    const bodies: { isPreview: boolean; people: readonly { userId: UserId }[] }[] = [];
    show({
      'PUT /api/org/member-statuses': ({ body }) => {
        bodies.push(body);
        const refused = (userId: UserId) => (userId === me.userId ? ('org.not-oneself' as const) : null);
        return { results: body.people.map(({ userId }) => ({ userId, code: refused(userId) })) };
      },
    });
    await userEvent.click(await screen.findByRole('checkbox', { name: 'Choose all' }));
    expect(screen.getByText('3 chosen')).toBeInTheDocument();
    await userEvent.click(within(screen.getByRole('toolbar')).getByRole('button', { name: 'Suspend' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Suspend 3 people?' }));
    expect(await dialog.findByText(/stays as they are/)).toBeInTheDocument();
    await userEvent.click(dialog.getByRole('button', { name: 'Suspend 2 people' }));
    expect(dialog.getByText('Say why, in a few words.')).toBeInTheDocument();
    await giveReason();
    await userEvent.click(dialog.getByRole('button', { name: 'Suspend 2 people' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    const done = bodies.filter(({ isPreview }) => !isPreview);
    expect(done).toMatchObject([
      {
        status: 'suspended',
        reason: 'Lost laptop',
        people: [{ userId: noor.userId, version: 4 }, { userId: kei.userId }],
      },
    ]);
    expect(screen.queryByRole('toolbar')).toBeNull();
  });

  it('that somebody else was faster with is told person by person, and stays until it is read', async () => {
    show({
      'POST /api/org/access-ends': ({ body }) => ({
        results: body.people.map(({ userId }) => ({ userId, code: body.isPreview ? null : 'org.member-not-found' })),
      }),
    });
    await actOn('Noor Halvani', 'End access now');
    await giveReason();
    await userEvent.click(await screen.findByRole('button', { name: 'End access' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Not everybody could be changed' }));
    expect(dialog.getByText(/was not changed/)).toBeInTheDocument();
    await userEvent.click(dialog.getByRole('button', { name: 'Close' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  });

  it('ending access repeats the same act when it is sent again', async () => {
    const ids: string[] = [];
    show({
      'POST /api/org/access-ends': (call) => {
        if (call.body.isPreview) return allDone(call);
        ids.push(call.body.id);
        return ids.length === 1 ? refuse('platform.unavailable') : allDone(call);
      },
    });
    await actOn('Noor Halvani', 'End access now');
    await giveReason();
    await userEvent.click(await screen.findByRole('button', { name: 'End access' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect([ids.length, new Set(ids).size]).toEqual([2, 1]);
  });

  it('a role says what is gained and lost, and waits for another one than before', async () => {
    show({ 'PUT /api/org/member-roles': allDone });
    await actOn('Noor Halvani', 'Change role');
    expect(await screen.findByText('Nobody would change')).toBeInTheDocument();
    await userEvent.selectOptions(screen.getByLabelText('Role'), 'Analyst');
    expect(await screen.findByText(/^Member → Analyst, gains 5 rights, loses 1/)).toBeInTheDocument();
  });

  it('is not there for oneself, and off for somebody who may do more', async () => {
    const boss: ActiveUser = { ...noor, role: 'owner' };
    show({ 'GET /api/monitoring/active-users': () => page({ ...me, role: 'admin' }, boss) }, { role: 'admin' });
    await userEvent.click(await screen.findByRole('button', { name: 'Actions for Noor Halvani' }));
    expect(await screen.findByText('This person has permissions that you don’t have')).toBeInTheDocument();
    expect(screen.queryByRole('button', { name: 'Actions for Ines Vardale' })).toBeNull();
  });
});

describe('what was last known', () => {
  const person = withPassingTime();

  it('stays with its age while it cannot be read again', async () => {
    let isAway = false;
    show({ 'GET /api/monitoring/active-users': () => (isAway ? refuse('platform.internal') : page(me, noor)) });
    await screen.findByText('Noor Halvani');
    isAway = true;
    await act(() => jest.advanceTimersByTimeAsync(6_000));
    expect(await screen.findByText(/could not be read again/)).toBeInTheDocument();
    expect(screen.getByText('Noor Halvani')).toBeInTheDocument();
  });

  it('stays while the connection is lost for long, with what changes it off', async () => {
    show();
    await screen.findByText('Noor Halvani');
    await loseConnectionForLong();
    await person.click(screen.getByRole('button', { name: 'Actions for Noor Halvani' }));
    expect(await screen.findByRole('menuitem', { name: 'Suspend' })).toHaveAttribute('aria-disabled', 'true');
  });
});
