import { expect, test } from '@jest/globals';
import { unapprovedFlow, type PersonPrincipal } from '@parley/contracts';
import { newId } from '@parley/platform/ids';
import type { OrgId, UserId } from '@parley/protocol';
import { aPerson } from '@parley/testing';
import { approveEarlier } from '../all-organisations/index.ts';
import { auditRows } from '../audit/index.ts';
import { asked, inRole, joined, orgSetup, tests } from '../org.spec-setup.ts';
import { tellOrganisations } from '../organisations/index.ts';
import { approvalOf } from './approvals.ts';

const setup = await orgSetup();
const { mongo, memberships, organisations, leaving, all, audit, arrivals, clock, recorded } = setup;
const admin = aPerson({ name: 'Greta Solvain', mayCreateOrganisations: true, platformRole: 'admin' });
const creator = (): PersonPrincipal => aPerson({ mayCreateOrganisations: true });

async function found(by: PersonPrincipal): Promise<OrgId> {
  const id = newId('organisation');
  await organisations.create(asked(by, { body: { id, name: 'Lindmoor', locale: 'en', timeZone: 'UTC' } }));
  return id;
}
/** Returns the flows that were published for the organisation, oldest first. */
const published = async (orgId: OrgId): Promise<unknown[]> =>
  (await recorded())
    .filter(({ type, subject }) => type === 'org.flow-changed.v1' && subject === orgId)
    .toSorted((one, other) => one.sequence - other.sequence)
    .map(({ data }) => (data as { flow: string }).flow);
const approval = async (orgId: OrgId) => approvalOf(await memberships.organisation(tests.in(orgId)));
const decide = (orgId: OrgId, isApproved: boolean) =>
  all.changeApproval({ scope: tests, principal: admin, params: { orgId }, body: { isApproved } } as never);
const ask = (orgId: OrgId, owner: UserId) => organisations.requestApproval(asked(inRole(orgId, 'owner', owner)));
const acts = async (orgId: OrgId) =>
  (await audit.list(asked(inRole(orgId, 'owner'), { query: { limit: 10 } }))).items.map(({ act, actor }) => [
    act,
    actor.name,
  ]);
const transfer = (orgId: OrgId, from: UserId, to: UserId): Promise<void> =>
  leaving.transfer(asked(inRole(orgId, 'owner', from), { body: { userId: to } }));

test('an organisation that a platform admin creates is approved, any other one is not', async () => {
  const [platforms, persons] = [await found(admin), await found(creator())];
  expect([await approval(platforms), await approval(persons)]).toEqual(['approved', 'none']);
  expect([await published(platforms), await published(persons)]).toEqual([[platforms], [unapprovedFlow]]);
});

test('twenty organisations that were transferred stay in the flow of all that are not approved', async () => {
  for (let at = 0; at < 20; at += 1) {
    const person = creator();
    const orgId = await found(person);
    const heir = await joined(setup, orgId, 'member');
    await transfer(orgId, person.userId, heir.userId);
    await leaving.leave(asked(person, { params: { orgId } }));
    expect(await published(orgId)).toEqual([unapprovedFlow]);
    expect(await approval(orgId)).toBe('none');
  }
});

test('an approved organisation keeps its flow after its founder has left, and its founder takes none along', async () => {
  const person = creator();
  const orgId = await found(person);
  await decide(orgId, true);
  const heir = await joined(setup, orgId, 'member');
  await transfer(orgId, person.userId, heir.userId);
  await leaving.leave(asked(person, { params: { orgId } }));
  expect([await approval(orgId), await published(orgId)]).toEqual(['approved', [unapprovedFlow, orgId]]);
  expect(await approval(await found(person))).toBe('none');
});

test('an account by an invitation link of an approved organisation creates one that is not approved', async () => {
  const inviting = await found(admin);
  const guest = creator();
  arrivals.set(guest.userId, { invitedBy: inviting });
  expect(await published(await found(guest))).toEqual([unapprovedFlow]);
});

test('a platform admin approves an organisation and withdraws it, each once, which is audited', async () => {
  const orgId = await found(creator());
  for (const _ of [1, 2]) expect(await decide(orgId, true)).toMatchObject({ approval: 'approved', version: 2 });
  for (const _ of [1, 2]) expect(await decide(orgId, false)).toMatchObject({ approval: 'none', version: 3 });
  expect(await published(orgId)).toEqual([unapprovedFlow, orgId, unapprovedFlow]);
  expect((await acts(orgId)).slice(0, 2)).toEqual([
    ['own-flow.turned-off', admin.name],
    ['own-flow.turned-on', admin.name],
  ]);
});

test('people ask once for an approval, which the platform admins see until they decide', async () => {
  const person = creator();
  const orgId = await found(person);
  for (const _ of [1, 2]) expect(await ask(orgId, person.userId)).toMatchObject({ approval: 'requested', version: 2 });
  expect(await all.read({ scope: tests, params: { orgId } } as never)).toMatchObject({ approval: 'requested' });
  expect(await acts(orgId)).toHaveLength(2);
  expect((await acts(orgId))[0]![0]).toBe('approval.requested');
  await decide(orgId, true);
  expect(await ask(orgId, person.userId)).toMatchObject({ approval: 'approved', version: 3 });
  expect(await decide(orgId, false)).toMatchObject({ approval: 'none' });
});

test('a platform admin approves all that are not, some at a time', async () => {
  await organisationRowsAre({ isApproved: true });
  const waiting: OrgId[] = [];
  for (let at = 0; at < 52; at += 1) waiting.push(await found(creator()));
  const call = { scope: tests, principal: admin } as never;
  expect(await all.countUnapproved(call)).toEqual({ unapproved: 52 });
  expect(await all.approveAll(call)).toEqual({ approved: 50, isMore: true });
  expect(await all.approveAll(call)).toEqual({ approved: 2, isMore: false });
  expect(await all.countUnapproved(call)).toEqual({ unapproved: 0 });
  expect((await acts(waiting.at(-1)!))[0]).toEqual(['own-flow.turned-on', admin.name]);
});

test('the migration approves what platform admins made or gave a flow, and what had a confirmed order, and publishes it', async () => {
  const [platforms, given, ordered, provisioned, persons, unknown] = await Promise.all(
    Array.from({ length: 6 }, () => found(creator())),
  );
  const earlier = async (orgId: OrgId, fields: object) =>
    raw().updateOne({ _id: orgId as never }, { $unset: { isApproved: '', approvalRequestedAt: '' }, $set: fields });
  await earlier(platforms!, { isByPlatform: true, flow: platforms, flowUntil: null, flowAfter: null });
  await earlier(given!, { isByPlatform: false, flow: given, hasOwnFlow: true });
  await earlier(ordered!, { isByPlatform: false, flow: admin.userId, flowUntil: clock.now(), flowAfter: admin.userId });
  await earlier(provisioned!, { isByPlatform: null });
  await earlier(persons!, { isByPlatform: false, flow: platforms });
  await earlier(unknown!, { isByPlatform: null, flow: null });
  await audited(ordered!, 'order.confirmed');
  await audited(provisioned!, 'organisation.provisioned');
  const before = (await recorded()).length;
  for (const _ of [1, 2])
    for (let at: string | null = null; ;) if ((at = await approveEarlier.batch(mongo, at)) === null) break;
  for (const orgId of [platforms!, given!, ordered!, provisioned!]) {
    expect(await approval(orgId)).toBe('approved');
    expect((await published(orgId)).at(-1)).toBe(orgId);
  }
  expect([await approval(persons!), await approval(unknown!)]).toEqual(['none', 'none']);
  expect(await recorded()).toHaveLength(before + 4);
  const fields = new Set((await raw().find({}).toArray()).flatMap((row) => Object.keys(row)));
  expect(['flow', 'flowUntil', 'flowAfter', 'hasOwnFlow'].filter((field) => fields.has(field))).toEqual([]);
});

test('the flow of every organisation is published again on request', async () => {
  const [platforms, persons] = [await found(admin), await found(creator())];
  const told = new Map<string, string>();
  await tellOrganisations(mongo, async ({ type }, data) => {
    if (type === 'org.flow-changed.v1') told.set((data as { orgId: string }).orgId, (data as { flow: string }).flow);
  });
  expect([told.get(platforms), told.get(persons)]).toEqual([platforms, unapprovedFlow]);
});

const raw = () => mongo.connection.collection('organisations');
const organisationRowsAre = (fields: object) => raw().updateMany({}, { $set: fields });
async function audited(orgId: OrgId, act: 'order.confirmed' | 'organisation.provisioned'): Promise<void> {
  const entry = { actorId: admin.userId, actorName: '', act, target: orgId, targetName: '', at: clock.now() };
  const states = { before: null, after: null, reason: null, words: [] };
  await mongo
    .rows(auditRows)
    .within(tests.in(orgId))
    .insert({ _id: newId('auditEntry'), orgId, ...entry, ...states });
}
