import { beforeAll, expect, test } from '@jest/globals';
import type { PersonPrincipal } from '@parley/contracts';
import type { OrgId } from '@parley/protocol';
import { newId } from '@parley/platform/ids';
import { asked, founded, orgSetup, tests } from '../org.spec-setup.ts';
import { membershipId } from './membership.ts';
import { membershipRows } from './membership.collection.ts';
import { organisationRows } from './organisation.collection.ts';

const setup = await orgSetup();
const { roles, groups, inviting, mongo } = setup;
/** More than a transaction may write: the test store refuses one that changes them all. */
const many = 1_050;
const perInsert = 350;

let owner: PersonPrincipal;
let orgId: OrgId;
const roleId = newId('role');
const groupId = newId('group');

async function inParts(insert: (from: number) => Promise<void>): Promise<void> {
  for (let from = 0; from < many; from += perInsert) await insert(from);
}
const copies = <Row>(copy: (at: number) => Row): Row[] => Array.from({ length: perInsert }, (_unused, at) => copy(at));

beforeAll(async () => {
  ({ owner, orgId } = await founded(setup));
  const scope = tests.in(orgId);
  await roles.create(asked(owner, { body: { id: roleId, name: 'Readers', permissions: [] } }));
  await groups.create(asked(owner, { body: { id: groupId, name: 'Night shift' } }));
  const members = mongo.rows(membershipRows).within(scope);
  const mine = (await members.findById(membershipId(orgId, owner.userId)))!;
  const colleague = () => {
    const userId = newId('user');
    const groupIds = [groupId];
    return { ...mine, _id: membershipId(orgId, userId), userId, role: roleId, groupIds, nameWords: [], words: [] };
  };
  await inParts(() => members.insertMany(copies(colleague)));
  const people = [{ id: newId('invitation'), email: 'first@lindmoor.example' }];
  const wanted = { role: roleId, groupIds: [], message: null, locale: 'en', days: 7, people };
  const [invited] = (await inviting.invite(asked(owner, { body: wanted }))).items;
  const invitations = setup.invitations.within(scope);
  const sample = (await invitations.findById(invited!.id))!;
  const invitation = (at: number) => ({
    ...sample,
    _id: newId('invitation'),
    email: `p${at}@lindmoor.example`,
    tokenHash: `hash ${at}`,
  });
  await inParts((from) => invitations.insertMany(copies((at) => invitation(from + at))));
  const counts = { roleCounts: { owner: 1, [roleId]: many }, memberCount: many + 1 };
  await mongo.rows(organisationRows).within(scope).update({ _id: orgId }, { $set: counts });
});

test('a role that more people have than a transaction changes is deleted, and each of them has the other one', async () => {
  await roles.delete(asked(owner, { params: { roleId }, query: { replacement: 'guest' } }));
  const scope = tests.in(orgId);
  expect(await mongo.rows(membershipRows).within(scope).count({ role: 'guest' })).toBe(many);
  expect(await setup.invitations.within(scope).count({ status: 'pending', role: roleId })).toBe(0);
  const { items } = await roles.list(asked(owner));
  const counts = Object.fromEntries(items.map(({ id, memberCount }) => [id, memberCount]));
  expect(counts).toMatchObject({ owner: 1, guest: many });
  expect(counts).not.toHaveProperty(roleId);
  const { items: entries } = await setup.audit.list(asked(owner, { query: { limit: 50, act: 'role.deleted' } }));
  expect(entries).toHaveLength(1);
});

test('a group of more people than a transaction changes is deleted, and nobody is in it', async () => {
  await groups.delete(asked(owner, { params: { groupId } }));
  expect(await mongo.rows(membershipRows).within(tests.in(orgId)).count({ groupIds: groupId })).toBe(0);
  expect((await groups.list(asked(owner))).items).toEqual([]);
});
