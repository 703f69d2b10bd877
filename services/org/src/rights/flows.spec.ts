import { expect, test } from '@jest/globals';
import type { PersonPrincipal } from '@parley/contracts';
import { newId } from '@parley/platform/ids';
import type { OrgId, UserId } from '@parley/protocol';
import { aPerson } from '@parley/testing';
import { asked, inRole, joined, orgSetup, tests } from '../org.spec-setup.ts';
import { tellOrganisations } from '../organisations/index.ts';
import { FounderUpkeep } from './founder-upkeep.ts';
import { organisationRows } from './organisation.collection.ts';
import type { Origin } from './people.ts';

const setup = await orgSetup();
const { mongo, memberships, organisations, leaving, all, rights, work, people, flows, origins, clock, recorded } =
  setup;
const rows = mongo.rows(organisationRows);
const dayMs = 86_400_000;

async function found(by: PersonPrincipal): Promise<OrgId> {
  const id = newId('organisation');
  await organisations.create(asked(by, { body: { id, name: 'Lindmoor', locale: 'en', timeZone: 'UTC' } }));
  return id;
}
const creator = (origin?: Origin): PersonPrincipal => {
  const person = aPerson({ mayCreateOrganisations: true });
  if (origin) origins.set(person.userId, origin);
  return person;
};
const invitedBy = (orgId: OrgId): PersonPrincipal => creator({ invitedBy: orgId, sameNetworkAs: null });
const sameNetworkAs = (userId: UserId): PersonPrincipal => {
  const until = new Date(clock.now().getTime() + dayMs).toISOString();
  return creator({ invitedBy: null, sameNetworkAs: { userId, until } });
};
const admin = aPerson({ mayCreateOrganisations: true, platformRole: 'admin' });
/** Returns the flows that were published for the organisation, oldest first. */
const published = async (orgId: OrgId): Promise<unknown[]> =>
  (await recorded())
    .filter(({ type, subject }) => type === 'org.flow-changed.v1' && subject === orgId)
    .toSorted((one, other) => one.sequence - other.sequence)
    .map(({ data }) => (data as { flow: string }).flow);
/** Returns the flow that others get with a member's permissions. */
const flowNow = async (orgId: OrgId): Promise<string | undefined> => {
  const { userId } = await joined(setup, orgId, 'member');
  return (await rights.membership({ scope: tests, params: { orgId, userId } } as never)).flow;
};
const transfer = (orgId: OrgId, from: UserId, to: UserId): Promise<void> =>
  leaving.transfer(asked(inRole(orgId, 'owner', from), { body: { userId: to } }));
const knownToAuth = (known: typeof people) => new FounderUpkeep(mongo, memberships, known, flows, work, clock);
const upkeep = knownToAuth(people);
async function give(orgId: OrgId, isOwn: boolean) {
  const { version } = await memberships.organisation(tests.in(orgId));
  return all.changeFlow({ scope: tests, principal: admin, params: { orgId }, body: { version, isOwn } } as never);
}

test('all organisations of a person use one flow, also after they were handed over', async () => {
  const person = creator();
  const [first, second] = [await found(person), await found(person)];
  const heir = await joined(setup, first, 'member');
  await transfer(first, person.userId, heir.userId);
  await leaving.leave(asked(person, { params: { orgId: first } }));
  for (const orgId of [first, second]) {
    expect(await published(orgId)).toEqual([person.userId]);
    expect(await flowNow(orgId)).toBe(person.userId);
  }
});

test('accounts that registered by an invitation create organisations in the flow of the one that invited them', async () => {
  const person = creator();
  const mine = await found(person);
  const guest = invitedBy(mine);
  const theirs = await found(guest);
  const further = await found(invitedBy(theirs));
  expect([await published(theirs), await published(further)]).toEqual([[person.userId], [person.userId]]);
  const platforms = await found(admin);
  expect(await published(await found(invitedBy(platforms)))).toEqual([platforms]);
});

test('accounts of one network use the flow of the first one for a day, then their own', async () => {
  const first = creator();
  const second = sameNetworkAs(first.userId);
  const mine = await found(second);
  const invited = await found(invitedBy(mine));
  await upkeep.noteAll();
  expect([await published(mine), await published(invited)]).toEqual([[first.userId], [first.userId]]);
  clock.advance(dayMs);
  await upkeep.noteAll();
  await upkeep.noteAll();
  expect([await published(mine), await published(invited)]).toEqual([
    [first.userId, second.userId],
    [first.userId, second.userId],
  ]);
  expect([await flowNow(mine), await flowNow(invited)]).toEqual([second.userId, second.userId]);
});

test('people invited after the first day use the flow that the organisation has then, even before the upkeep', async () => {
  const second = sameNetworkAs(creator().userId);
  const mine = await found(second);
  clock.advance(dayMs);
  expect(await published(await found(invitedBy(mine)))).toEqual([second.userId]);
});

test('an organisation that a platform admin created has its own flow, and keeps it', async () => {
  const orgId = await found(admin);
  expect([await published(orgId), await flowNow(orgId)]).toEqual([[], orgId]);
  await expect(give(orgId, false)).rejects.toMatchObject({ code: 'platform.conflict' });
  expect(await give(orgId, true)).toMatchObject({ flow: 'by-platform' });
});

test('a platform admin gives an organisation its own flow and takes it away again, which is audited', async () => {
  const person = creator();
  const orgId = await found(person);
  expect(await give(orgId, true)).toMatchObject({ flow: 'given' });
  expect([await published(orgId), await flowNow(orgId)]).toEqual([[person.userId, orgId], orgId]);
  expect(await give(orgId, false)).toMatchObject({ flow: 'creator' });
  expect(await published(orgId)).toEqual([person.userId, orgId, person.userId]);
  const { items } = await setup.audit.list(asked(inRole(orgId, 'owner'), { query: { limit: 2 } }));
  expect(items).toMatchObject([{ act: 'own-flow.turned-off' }, { act: 'own-flow.turned-on' }]);
});

test('the second of two platform admins sees what the first has saved', async () => {
  const orgId = await found(creator());
  await give(orgId, true);
  const late = { scope: tests, principal: admin, params: { orgId }, body: { version: 1, isOwn: false } };
  await expect(all.changeFlow(late as never)).rejects.toMatchObject({
    code: 'platform.conflict',
    extras: { current: { flow: 'given' } },
  });
});

test('the own flow that a platform admin gave outlives the day of the network', async () => {
  const orgId = await found(sameNetworkAs(creator().userId));
  await give(orgId, true);
  clock.advance(dayMs);
  await upkeep.noteAll();
  expect(await flowNow(orgId)).toBe(orgId);
});

test('organisations of earlier versions get their flow once, and it is published again on request', async () => {
  const [person, other, guest] = [creator(), creator(), invitedBy(await found(creator()))];
  const [theirs, platforms, handedOver, invited] = [
    await found(person),
    await found(admin),
    await found(other),
    await found(guest),
  ];
  const old = { flow: null, flowUntil: null, flowAfter: null };
  for (const orgId of [theirs, platforms]) await change(orgId, { ...old, isByPlatform: null, founder: null });
  await change(handedOver, { ...old, isByPlatform: false, founder: null });
  await change(invited, { ...old, isByPlatform: false, founder: guest.userId });
  const find = async (id: UserId) => ({ ...(await people.find(id)), isPlatformAdmin: id === admin.userId });
  const knowing = knownToAuth({ find } as typeof people);
  await knowing.noteAll();
  await knowing.noteAll();
  const told: unknown[] = [];
  await tellOrganisations(mongo, async ({ type }, data) => {
    if (type === 'org.flow-changed.v1') told.push(data);
  });
  expect(told).toEqual(
    expect.arrayContaining([
      { orgId: theirs, flow: person.userId, rightsVersion: 2 },
      { orgId: platforms, flow: platforms, rightsVersion: 2 },
      { orgId: handedOver, flow: other.userId, rightsVersion: 2 },
    ]),
  );
  expect((await published(handedOver)).at(-1)).toBe(other.userId);
  expect((await published(invited)).at(-1)).not.toBe(guest.userId);
  const { isByPlatform, founder } = await memberships.organisation(tests.in(theirs));
  expect([isByPlatform, founder]).toEqual([false, person.userId]);
});

test('while auth is of an earlier version, an organisation uses the flow of its founder until the upkeep looks', async () => {
  const host = creator();
  const guest = creator({});
  const orgId = await found(guest);
  expect([await published(orgId), await flowNow(orgId)]).toEqual([[guest.userId], guest.userId]);
  await expect(upkeep.noteAll()).rejects.toThrow('earlier version');
  origins.set(guest.userId, { invitedBy: await found(host), sameNetworkAs: null });
  await upkeep.noteAll();
  expect([await published(orgId), await flowNow(orgId)]).toEqual([[guest.userId, host.userId], host.userId]);
});

const change = (orgId: OrgId, set: object) => rows.within(tests.in(orgId)).update({ _id: orgId }, { $set: set });
