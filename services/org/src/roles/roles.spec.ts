import { expect, test } from '@jest/globals';
import { quotaLimits, permissionsOf, type Permission } from '@parley/contracts';
import { aPerson } from '@parley/testing';
import { newId } from '@parley/platform/ids';
import { asked, founded, inRole, joined, orgSetup, tests } from '../org.spec-setup.ts';

const setup = await orgSetup();
const { roles, members, rights, inviting, views, joining } = setup;

const made = async (by: ReturnType<typeof inRole>, name: string, permissions: readonly Permission[]) =>
  roles.create(asked(by, { body: { id: newId('role'), name, permissions } }));

test('six are built in, others are the organisation\u2019s own; repeating makes one, a name is there once', async () => {
  const [{ owner }, other] = [await founded(setup), await founded(setup)];
  const id = newId('role');
  const body = { id, name: 'Bot builder', permissions: ['chat:read', 'org:read'] };
  const first = await roles.create(asked(owner, { body }));
  expect(first).toMatchObject({ permissions: ['org:read', 'chat:read'], memberCount: 0, version: 1 });
  expect(await roles.create(asked(owner, { body }))).toEqual(first);
  await expect(made(owner, 'Bot builder', [])).rejects.toMatchObject({ code: 'org.name-taken' });
  const { items } = await roles.list(asked(owner));
  expect(items.map((role) => role.name ?? role.id)).toEqual([
    'owner',
    'admin',
    'billing',
    'analyst',
    'member',
    'guest',
    'Bot builder',
  ]);
  expect((await roles.list(asked(other.owner))).items).toHaveLength(6);
});

test('nobody makes or widens a role beyond the own rights, nor narrows what they do not have', async () => {
  const { orgId, owner } = await founded(setup);
  const limited = inRole(orgId, ['role:create', 'role:update', 'role:delete', 'chat:read']);
  const beyond = { code: 'org.beyond-own-rights' };
  await expect(made(limited, 'Ladder', ['org:transfer'])).rejects.toMatchObject(beyond);
  const theirs = await made(owner, 'Readers', ['chat:read', 'org:update']);
  const change = (permissions: Permission[]) =>
    roles.update(asked(limited, { params: { roleId: theirs.id }, body: { version: 1, permissions } }));
  await expect(change(['chat:read', 'org:update', 'member:remove'])).rejects.toMatchObject(beyond);
  await expect(change(['chat:read'])).rejects.toMatchObject(beyond);
  expect((await change(['org:update'])).permissions).toEqual(['org:update']);
});

test('an edit counts for everybody who has the role, and cannot take back its own key', async () => {
  const { orgId, owner } = await founded(setup);
  const keeper = await joined(setup, orgId, 'member');
  const role = await made(owner, 'Keepers', ['role:read', 'role:update', 'chat:read']);
  const assign = { params: { userId: keeper.userId }, body: { version: 1, role: role.id } };
  await members.changeRole(asked(owner, assign));
  const ask = () => rights.membership({ scope: tests, params: { orgId, userId: keeper.userId } } as never);
  const before = await ask();
  const edit = (by: typeof keeper, version: number, permissions: Permission[]) =>
    roles.update(asked(by, { params: { roleId: role.id }, body: { version, permissions } }));
  const self = inRole(orgId, role.permissions, keeper.userId);
  await expect(edit(self, 1, ['role:read', 'chat:read'])).rejects.toMatchObject({ code: 'org.would-lock-out' });
  expect(await edit(owner, 1, ['role:read', 'role:update'])).toMatchObject({ memberCount: 1, version: 2 });
  const after = await ask();
  expect(after.permissions).toEqual(['role:read', 'role:update']);
  const { items } = await setup.revocations.list(0);
  const voided = items.findLast(({ kind, subject }) => kind === 'organisation' && subject === orgId);
  expect(voided?.rightsVersion).toBeGreaterThan(before.rightsVersion);
  expect(after.rightsVersion).toBeGreaterThanOrEqual(voided!.rightsVersion!);
  await expect(edit(owner, 1, [])).rejects.toMatchObject({
    code: 'platform.conflict',
    extras: { current: { version: 2 } },
  });
});

test('a role goes with a replacement, which its members have afterwards', async () => {
  const { orgId, owner } = await founded(setup);
  const { userId } = await joined(setup, orgId, 'member');
  const role = await made(owner, 'Short', ['org:read', 'chat:read']);
  await members.changeRole(asked(owner, { params: { userId }, body: { version: 1, role: role.id } }));
  const drop = (replacement: string) =>
    roles.delete(asked(owner, { params: { roleId: role.id }, query: { replacement } }));
  await expect(drop('owner')).rejects.toMatchObject({ code: 'platform.invalid-request' });
  await expect(drop(role.id)).rejects.toMatchObject({ code: 'platform.invalid-request' });
  const ask = () => rights.membership({ scope: tests, params: { orgId, userId } } as never);
  const before = await ask();
  await drop('guest');
  const membership = await ask();
  expect(membership.permissions).toEqual(permissionsOf('guest'));
  const { items } = await setup.revocations.list(0);
  const voided = items.findLast(({ kind, subject }) => kind === 'organisation' && subject === orgId);
  expect(voided?.rightsVersion).toBeGreaterThan(before.rightsVersion);
  expect(membership.rightsVersion).toBeGreaterThanOrEqual(voided!.rightsVersion!);
  expect((await roles.list(asked(owner))).items.find(({ id }) => id === 'guest')?.memberCount).toBe(1);
  await expect(drop('guest')).rejects.toMatchObject({ code: 'org.role-not-found' });
});

test('whoever is invited to a role that goes joins with its replacement', async () => {
  const { owner } = await founded(setup);
  const role = await made(owner, 'Builders', ['org:read', 'chat:read']);
  const offer = { id: newId('invitation'), label: 'Site', groupIds: [], domain: null, places: 2, days: 7 };
  const { token } = await inviting.makeLink(asked(owner, { body: { ...offer, role: role.id } }));
  await roles.delete(asked(owner, { params: { roleId: role.id }, query: { replacement: 'guest' } }));
  expect(await views.view({ body: { token } } as never)).toMatchObject({ state: 'open', role: 'guest' });
  const comer = aPerson();
  expect(await joining.accept(asked(comer, { body: { token } }))).toMatchObject({ role: 'guest' });
});

test('nobody deletes a role, or gives a replacement, beyond the own rights; strangers find none', async () => {
  const [{ orgId, owner }, other] = [await founded(setup), await founded(setup)];
  const limited = inRole(orgId, ['role:delete', 'chat:read']);
  const drop = (by: typeof owner, roleId: string, replacement: string) =>
    roles.delete(asked(by, { params: { roleId }, query: { replacement } }));
  const beyond = { code: 'org.beyond-own-rights' };
  const strong = await made(owner, 'Strong', ['chat:read', 'org:update']);
  const weak = await made(owner, 'Weak', ['chat:read']);
  await expect(drop(limited, strong.id, weak.id)).rejects.toMatchObject(beyond);
  await expect(drop(limited, weak.id, 'member')).rejects.toMatchObject(beyond);
  await expect(drop(owner, weak.id, newId('role'))).rejects.toMatchObject({ code: 'org.role-not-found' });
  await expect(drop(other.owner, weak.id, 'guest')).rejects.toMatchObject({ code: 'org.role-not-found' });
  expect((await roles.list(asked(owner))).items).toHaveLength(8);
});

test('of two admins who save at once one wins, and the other one gets the state that won', async () => {
  const { owner } = await founded(setup);
  const role = await made(owner, 'Shared', ['chat:read']);
  const save = (permissions: Permission[]) =>
    roles.update(asked(owner, { params: { roleId: role.id }, body: { version: 1, permissions } }));
  const ended = await Promise.allSettled([save(['chat:read', 'model:use']), save([])]);
  const won = ended.find((one) => one.status === 'fulfilled');
  const lost = ended.find((one) => one.status === 'rejected');
  expect(lost?.reason).toMatchObject({ code: 'platform.conflict' });
  const { items } = await roles.list(asked(owner));
  expect(items.at(-1)).toEqual(won?.value);
  await expect(save([])).rejects.toMatchObject({ extras: { current: won?.value } });
});

test('a role is renamed without its rights, its name is its own, and there is an end to their number', async () => {
  const { owner } = await founded(setup);
  const [one, two] = [await made(owner, 'One', ['chat:read']), await made(owner, 'Two', [])];
  const rename = (name: string, version: number) =>
    roles.update(asked(owner, { params: { roleId: one.id }, body: { version, name } }));
  expect(await rename('Uno', 1)).toMatchObject({ name: 'Uno', permissions: ['chat:read'], version: 2 });
  await expect(rename(two.name!, 2)).rejects.toMatchObject({ code: 'org.name-taken' });
  for (let count = 2; count < quotaLimits.roles.ceiling; count += 1) await made(owner, `Role ${count}`, []);
  await expect(made(owner, 'One more', [])).rejects.toMatchObject({ code: 'org.limit-reached' });
});
