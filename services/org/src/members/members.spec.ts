import { describe, expect, test } from '@jest/globals';
import { permissionsOf } from '@parley/contracts';
import type { UserId } from '@parley/protocol';
import { newId } from '@parley/platform/ids';
import { asked, founded, inRole, joined, orgSetup, tests } from '../org.spec-setup.ts';

const setup = await orgSetup();
const { memberList, members, leaving, groups, rights, revocations } = setup;

const listed = async (principal: Parameters<typeof asked>[0], query: object = {}) =>
  (await memberList.list(asked(principal, { query: { limit: 50, ...query } }))).items;

describe('the list', () => {
  test('is by name, shows addresses to whoever may see them, and finds by the start of any word', async () => {
    const { orgId, owner } = await founded(setup);
    await joined(setup, orgId, 'member', { name: 'Zoë Ångström', email: 'zoe@lindmoor.example' });
    const ada = await joined(setup, orgId, 'guest', { name: 'Ada Wrenfield', email: 'ada.w@fennick.example' });
    const all = await listed(owner);
    expect(all.map(({ name }) => name).filter((name) => !name.startsWith('Person'))).toEqual([
      'Ada Wrenfield',
      'Zoë Ångström',
    ]);
    expect(all[0]).toMatchObject({ userId: ada.userId, email: 'ada.w@fennick.example', role: 'guest' });
    expect((await listed(inRole(orgId, 'member')))[0]?.email).toBeNull();
    for (const text of ['wren', 'ada wrenfield', 'ANG', 'fennick', 'zoe@lindmoor.example'])
      expect([text, (await listed(owner, { text })).length]).toEqual([text, 1]);
    expect(await listed(inRole(orgId, 'member'), { text: 'fennick' })).toEqual([]);
    expect(await listed(owner, { text: 'nobody' })).toEqual([]);
    expect((await listed(owner, { role: 'guest' })).map(({ userId }) => userId)).toEqual([ada.userId]);
    expect(await listed(owner, { status: 'suspended' })).toEqual([]);
    const ids = `${ada.userId},${newId('user')}`;
    expect((await listed(owner, { ids })).map(({ userId }) => userId)).toEqual([ada.userId]);
  });

  test('comes page by page, and never shows those of another organisation', async () => {
    const [here, there] = [await founded(setup), await founded(setup)];
    for (const name of ['b', 'a', 'c']) await joined(setup, here.orgId, 'member', { name });
    await joined(setup, there.orgId, 'member', { name: 'elsewhere' });
    const first = await memberList.list(asked(here.owner, { query: { limit: 2 } }));
    const second = await memberList.list(asked(here.owner, { query: { limit: 9, cursor: first.nextCursor! } }));
    expect([...first.items, ...second.items].map(({ name }) => name).slice(0, 3)).toEqual(['a', 'b', 'c']);
    expect(first.items.length + second.items.length).toBe(4);
  });
});

test('those who can do something are the active ones of all roles with its permission, by name', async () => {
  const [{ orgId, owner }, other] = [await founded(setup), await founded(setup)];
  await joined(setup, other.orgId, 'admin', { name: 'Elsewhere' });
  const roleId = newId('role');
  const role = { id: roleId, name: 'Treasurers', permissions: ['budget:manage'] };
  await setup.roles.create(asked(owner, { body: role }));
  const give = async (name: string, body: object) => {
    const { userId } = await joined(setup, orgId, 'member', { name });
    await members.changeRole(asked(owner, { params: { userId }, body: { version: 1, ...body } }));
    return userId;
  };
  const [zoe, ada] = [await give('Zoe', { role: 'admin' }), await give('Ada', { role: roleId })];
  await joined(setup, orgId, 'member', { name: 'Bo' });
  const holders = async (limit: number) => {
    const input = { scope: tests, params: { orgId }, query: { permission: 'budget:manage', limit } };
    const { items } = await memberList.holders(input as never);
    return items.map(({ userId }) => userId);
  };
  expect(await holders(9)).toEqual([ada, owner.userId, zoe]);
  expect(await holders(1)).toEqual([ada]);
  const suspended = { version: 2, status: 'suspended', reason: 'On leave' };
  await members.changeStatus(asked(owner, { params: { userId: ada }, body: suspended }));
  expect(await holders(9)).toEqual([owner.userId, zoe]);
});

describe('a role', () => {
  test('counts from now on: what the person could do with the earlier one is void', async () => {
    const { orgId, owner } = await founded(setup);
    const { userId } = await joined(setup, orgId, 'member');
    const ask = () => rights.membership({ scope: tests, params: { orgId, userId } } as never);
    const before = await ask();
    const changed = await members.changeRole(
      asked(owner, { params: { userId }, body: { version: 1, role: 'analyst' } }),
    );
    expect(changed).toMatchObject({ role: 'analyst', version: 2 });
    const after = await ask();
    expect(after.permissions).toEqual(permissionsOf('analyst'));
    const { items } = await revocations.list(0);
    const voided = items.find(({ subject }) => subject === `${orgId}/${userId}`);
    expect(voided?.rightsVersion).toBeGreaterThan(before.rightsVersion);
    expect(after.rightsVersion).toBeGreaterThanOrEqual(voided!.rightsVersion!);
  });

  test('is given by whoever has all of its rights, to whoever has no more', async () => {
    const { orgId, owner } = await founded(setup);
    const admin = await joined(setup, orgId, 'admin');
    const { userId } = await joined(setup, orgId, 'member');
    const give = (by: typeof admin, to: typeof userId, role: string) =>
      members.changeRole(asked(by, { params: { userId: to }, body: { version: 1, role } }));
    const beyond = { code: 'org.beyond-own-rights' };
    await expect(give(admin, userId, 'owner')).rejects.toMatchObject(beyond);
    await expect(give(admin, admin.userId, 'owner')).rejects.toMatchObject(beyond);
    await expect(give(admin, owner.userId, 'member')).rejects.toMatchObject(beyond);
    await expect(give(admin, userId, newId('role'))).rejects.toMatchObject({ code: 'org.role-not-found' });
    expect(await give(admin, userId, 'admin')).toMatchObject({ role: 'admin' });
  });

  test('that somebody else has changed meanwhile is a conflict with the state that won', async () => {
    const { orgId, owner } = await founded(setup);
    const { userId } = await joined(setup, orgId, 'member');
    const give = (role: string) => members.changeRole(asked(owner, { params: { userId }, body: { version: 1, role } }));
    await give('guest');
    await expect(give('analyst')).rejects.toMatchObject({
      code: 'platform.conflict',
      extras: { current: { role: 'guest', version: 2 } },
    });
  });
});

test('a suspended person may do nothing and keeps the seat, until somebody restores the membership', async () => {
  const { orgId, owner } = await founded(setup);
  const { userId } = await joined(setup, orgId, 'member');
  const set = (body: object) => members.changeStatus(asked(owner, { params: { userId }, body }));
  await set({ version: 1, status: 'suspended', reason: 'Left the company' });
  const ask = () => rights.membership({ scope: tests, params: { orgId, userId } } as never);
  await expect(ask()).rejects.toMatchObject({ code: 'org.membership-suspended' });
  expect(await members.seats(asked(owner))).toEqual({ used: 2, held: 0, limit: null });
  await set({ version: 2, status: 'active' });
  expect((await ask()).permissions).toEqual(permissionsOf('member'));
  const oneself = { params: { userId: owner.userId }, body: { version: 1, status: 'suspended', reason: 'x' } };
  await expect(members.changeStatus(asked(owner, oneself))).rejects.toMatchObject({ code: 'org.not-oneself' });
});

test('what somebody could do is void once the membership ends, and a new one is newer than that', async () => {
  const { orgId, owner } = await founded(setup);
  const { userId } = await joined(setup, orgId, 'member');
  const ask = () => rights.membership({ scope: tests, params: { orgId, userId } } as never);
  const before = await ask();
  await leaving.remove(asked(owner, { params: { userId }, query: { reason: 'gone' } }));
  const { items } = await revocations.list(0);
  const voided = items.findLast(({ subject }) => subject === `${orgId}/${userId}`)?.rightsVersion ?? 0;
  expect(voided).toBeGreaterThan(before.rightsVersion);
  const person = { name: 'Back', picture: null, email: null, version: 1 };
  const again = { userId, role: 'guest', groupIds: [], source: 'link', person, now: setup.clock.now() } as const;
  await setup.work.run(owner, (tx) => setup.memberships.add(tests.in(orgId), tx, again));
  expect((await ask()).rightsVersion).toBeGreaterThanOrEqual(voided);
});

test('nobody removes somebody who may do more, and they stay', async () => {
  const { orgId, owner } = await founded(setup);
  const second = await joined(setup, orgId, 'owner');
  const admin = await joined(setup, orgId, 'admin');
  const remove = (by: typeof admin, { userId }: typeof owner) =>
    leaving.remove(asked(by, { params: { userId }, query: { reason: 'x' } }));
  await expect(remove(admin, second)).rejects.toMatchObject({ code: 'org.beyond-own-rights' });
  const limited = inRole(orgId, ['member:remove']);
  await expect(remove(limited, admin)).rejects.toMatchObject({ code: 'org.beyond-own-rights' });
  expect(await listed(owner)).toHaveLength(3);
  await remove(owner, second);
  expect(await listed(owner)).toHaveLength(2);
});

test('ownership passes on in one step, and the last owner cannot leave', async () => {
  const { orgId, owner } = await founded(setup);
  const heir = await joined(setup, orgId, 'member');
  const leave = (who: typeof owner) => leaving.leave(asked(who, { scope: tests.of(who.userId), params: { orgId } }));
  await expect(leave(owner)).rejects.toMatchObject({ code: 'org.last-owner' });
  await leaving.transfer(asked(owner, { body: { userId: heir.userId } }));
  const roles = Object.fromEntries((await listed(heir)).map(({ userId, role }) => [userId, role]));
  expect(roles).toEqual({ [owner.userId]: 'admin', [heir.userId]: 'owner' });
  await leave(owner);
  await leave(owner);
  expect(await listed(heir)).toHaveLength(1);
});

test('ownership passes on to nobody who is suspended, and to nobody outside', async () => {
  const { orgId, owner } = await founded(setup);
  const heir = await joined(setup, orgId, 'member');
  const suspended = { version: 1, status: 'suspended', reason: 'On leave' };
  await members.changeStatus(asked(owner, { params: { userId: heir.userId }, body: suspended }));
  const transfer = (userId: UserId) => leaving.transfer(asked(owner, { body: { userId } }));
  await expect(transfer(heir.userId)).rejects.toMatchObject({ code: 'platform.conflict' });
  await expect(transfer(newId('user'))).rejects.toMatchObject({ code: 'org.member-not-found' });
  await expect(transfer(owner.userId)).rejects.toMatchObject({ code: 'org.not-oneself' });
  const roles = Object.fromEntries((await listed(owner)).map(({ userId, role }) => [userId, role]));
  expect(roles).toEqual({ [owner.userId]: 'owner', [heir.userId]: 'member' });
});

test('groups hold people without rights; a group or a person that goes leaves no trace in the counts', async () => {
  const { orgId, owner } = await founded(setup);
  const [{ userId: one }, { userId: two }] = [
    await joined(setup, orgId, 'member'),
    await joined(setup, orgId, 'guest'),
  ];
  const [desk, field] = [newId('group'), newId('group')];
  await groups.create(asked(owner, { body: { id: desk, name: 'Service desk' } }));
  await groups.create(asked(owner, { body: { id: field, name: 'Field south' } }));
  const put = (userId: typeof one, version: number, groupIds: string[]) =>
    members.changeGroups(asked(owner, { params: { userId }, body: { version, groupIds } }));
  await put(one, 1, [desk, field]);
  await put(two, 1, [desk]);
  await expect(put(two, 2, [newId('group')])).rejects.toMatchObject({ code: 'org.group-not-found' });
  const counts = async () =>
    (await groups.list(asked(owner))).items.map(({ name, memberCount }) => [name, memberCount]);
  expect(await counts()).toEqual([
    ['Field south', 1],
    ['Service desk', 2],
  ]);
  expect((await listed(owner, { groupId: desk })).length).toBe(2);
  const inGroups = await groups.listMembers({ scope: tests, params: { orgId } } as never);
  expect(inGroups.items.map(({ name, userIds }) => [name, userIds.toSorted()])).toEqual([
    ['Field south', [one]],
    ['Service desk', [one, two].toSorted()],
  ]);
  await leaving.remove(asked(owner, { params: { userId: two }, query: { reason: 'gone' } }));
  await groups.delete(asked(owner, { params: { groupId: field } }));
  expect(await counts()).toEqual([['Service desk', 1]]);
  expect((await listed(owner, { groupId: desk }))[0]?.groupIds).toEqual([desk]);
  const twice = { body: { id: newId('group'), name: 'Service desk' } };
  await expect(groups.create(asked(owner, twice))).rejects.toMatchObject({ code: 'org.name-taken' });
  const rename = (version: number, name: string) =>
    groups.rename(asked(owner, { params: { groupId: desk }, body: { version, name } }));
  expect(await rename(1, 'Help desk')).toMatchObject({ name: 'Help desk', memberCount: 1, version: 2 });
  await expect(rename(1, 'Desk')).rejects.toMatchObject({
    code: 'platform.conflict',
    extras: { current: { name: 'Help desk', version: 2 } },
  });
});

test('whoever leaves a group loses what it could read: the membership is revoked, and all where the group goes', async () => {
  const { orgId, owner } = await founded(setup);
  const { userId } = await joined(setup, orgId, 'member');
  const groupId = newId('group');
  await groups.create(asked(owner, { body: { id: groupId, name: 'Readers' } }));
  const put = (version: number, groupIds: string[]) =>
    members.changeGroups(asked(owner, { params: { userId }, body: { version, groupIds } }));
  const revoked = async (act: () => Promise<unknown>) => {
    const before = (await revocations.list(0)).items.length;
    await act();
    return (await revocations.list(0)).items.slice(before).map(({ kind, subject }) => ({ kind, subject }));
  };
  const ofPerson = [{ kind: 'membership', subject: `${orgId}/${userId}` }];
  expect(await revoked(() => put(1, [groupId]))).toEqual(ofPerson);
  expect(await revoked(() => put(2, []))).toEqual(ofPerson);
  await put(3, [groupId]);
  const drop = () => groups.delete(asked(owner, { params: { groupId } }));
  expect(await revoked(drop)).toEqual([{ kind: 'organisation', subject: orgId }]);
});

test('why somebody may do something, or may not, is told by the rules that decide', async () => {
  const { orgId, owner } = await founded(setup);
  const { userId } = await joined(setup, orgId, 'analyst');
  const ask = (permission: string, thing: string) =>
    members.access(asked(owner, { params: { userId }, query: { permission, thing } }));
  expect(await ask('chat:read', 'own')).toMatchObject({ isAllowed: true, role: 'analyst' });
  const ofOthers = await ask('chat:read', 'of-others');
  expect([ofOthers.isAllowed, ofOthers.steps.at(-1)]).toEqual([false, { rule: 'ownership', allows: false }]);
  expect((await ask('org:update', 'organisation')).steps.at(-1)).toEqual({ rule: 'role', allows: false });
  const suspended = { version: 1, status: 'suspended', reason: 'On leave' };
  await members.changeStatus(asked(owner, { params: { userId }, body: suspended }));
  expect(await ask('chat:read', 'own')).toEqual({
    isAllowed: false,
    role: 'analyst',
    status: 'suspended',
    steps: [{ rule: 'membership', allows: false }],
  });
  const stranger = { params: { userId: newId('user') }, query: { permission: 'chat:read', thing: 'own' } };
  await expect(members.access(asked(owner, stranger))).rejects.toMatchObject({ code: 'org.member-not-found' });
});

test('each act is written down with who, whom, what was and why', async () => {
  const { orgId, owner } = await founded(setup);
  const { userId } = await joined(setup, orgId, 'member');
  await members.changeRole(asked(owner, { params: { userId }, body: { version: 1, role: 'guest' } }));
  await leaving.remove(asked(owner, { params: { userId }, query: { reason: 'Contract ended' } }));
  const { items } = await setup.audit.list(asked(owner, { query: { limit: 10, target: userId } }));
  const role = (id: string) => ({ kind: 'refs', refs: [{ of: 'role', id, name: null }] });
  expect(items.map(({ act, changes, reason }) => ({ act, changes, reason }))).toEqual([
    { act: 'member.removed', changes: [{ field: 'role', before: role('guest') }], reason: 'Contract ended' },
    {
      act: 'member.role-changed',
      changes: [{ field: 'role', before: role('member'), after: role('guest') }],
      reason: null,
    },
  ]);
  expect(items[0]?.actor.userId).toBe(owner.userId);
});
