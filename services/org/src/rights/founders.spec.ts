import { expect, test } from '@jest/globals';
import type { OrgId, PersonPrincipal, UserId } from '@parley/contracts';
import { newId } from '@parley/platform/ids';
import type { Platform } from '@parley/platform/service';
import { aPerson } from '@parley/testing';
import { asked, inRole, joined, orgSetup, tests } from '../org.spec-setup.ts';
import { tellOrganisations } from '../organisations/index.ts';
import { FounderUpkeep } from './founder-upkeep.ts';
import { organisationRows } from './organisation.collection.ts';

const setup = await orgSetup();
const { mongo, memberships, organisations, leaving, members, work, people, founders, recorded } = setup;
const organisationsOf = mongo.rows(organisationRows);

async function found(by: PersonPrincipal): Promise<OrgId> {
  const id = newId('organisation');
  await organisations.create(
    asked(by, { body: { id, name: 'Lindmoor', locale: 'en', timeZone: 'UTC', slug: slug() } }),
  );
  return id;
}
let count = 0;
const slug = (): string => `lindmoor-${(count += 1)}`;
const founder = (): PersonPrincipal => aPerson({ mayCreateOrganisations: true });
const platformAdmin = (): PersonPrincipal => aPerson({ mayCreateOrganisations: true, platformRole: 'admin' });
/** What was published of whose share the organisation uses, oldest first. */
const sharesOf = async (orgId: OrgId): Promise<unknown[]> =>
  (await recorded())
    .filter(({ type, subject }) => type === 'org.share-changed.v1' && subject === orgId)
    .toSorted((one, other) => one.sequence - other.sequence)
    .map(({ data }) => (data as { share: string }).share);
const transfer = (orgId: OrgId, from: UserId, to: UserId): Promise<void> =>
  leaving.transfer(asked(inRole(orgId, 'owner', from), { body: { userId: to } }));

test('a person creates five organisations and no sixth, twenty at once or one by one', async () => {
  const person = founder();
  const tried = await Promise.allSettled(Array.from({ length: 20 }, () => found(person)));
  const refused = tried.flatMap((one) => (one.status === 'rejected' ? [(one.reason as { code: string }).code] : []));
  expect(new Set(refused)).toEqual(new Set(['org.too-many-organisations']));
  expect(refused).toHaveLength(15);
  expect(await organisationsOf.within(tests).count({ founder: person.userId })).toBe(5);
  await expect(found(person)).rejects.toMatchObject({
    code: 'org.too-many-organisations',
    extras: { detail: expect.stringContaining('Ask a platform admin') as unknown },
  });
  await found(founder());
});

test('a platform admin creates as many as it takes, each with a share of its own', async () => {
  const admin = platformAdmin();
  const made: OrgId[] = [];
  while (made.length < 7) made.push(await found(admin));
  expect(await sharesOf(made[0]!)).toEqual([]);
});

test('organisations use the share of who created them until somebody else owns them', async () => {
  const person = founder();
  const [first, second] = [await found(person), await found(person)];
  expect([await sharesOf(first), await sharesOf(second)]).toEqual([[person.userId], [person.userId]]);
  const heir = await joined(setup, first, 'member');
  await transfer(first, person.userId, heir.userId);
  expect(await sharesOf(first)).toEqual([person.userId, first]);
  await transfer(first, heir.userId, person.userId);
  expect(await sharesOf(first)).toEqual([person.userId, first, person.userId]);
});

test('who handed an organisation over can create another one, and does not get it back beyond the limit', async () => {
  const person = founder();
  const made: OrgId[] = [];
  while (made.length < 5) made.push(await found(person));
  const heir = await joined(setup, made[0]!, 'member');
  await transfer(made[0]!, person.userId, heir.userId);
  await found(person);
  await expect(transfer(made[0]!, heir.userId, person.userId)).rejects.toMatchObject({
    code: 'org.too-many-organisations',
  });
});

test('another owner beside the creator changes no share; the creator who leaves does', async () => {
  const person = founder();
  const orgId = await found(person);
  const other = await joined(setup, orgId, 'member');
  const { version } = (await memberships.find(tests.in(orgId), other.userId))!;
  const body = { version, role: 'owner' };
  await members.changeRole(asked(inRole(orgId, 'owner', person.userId), { params: { userId: other.userId }, body }));
  expect(await sharesOf(orgId)).toEqual([person.userId]);
  await leaving.leave(asked(person, { params: { orgId } }));
  expect(await sharesOf(orgId)).toEqual([person.userId, orgId]);
});

test('what earlier versions made is looked at once, and told again on request', async () => {
  const [person, admin] = [founder(), platformAdmin()];
  const [theirs, platforms, left] = [await found(person), await found(admin), await found(founder())];
  const unknown = { isByPlatform: null, founder: null };
  for (const orgId of [theirs, platforms, left])
    await organisationsOf.within(tests.in(orgId)).update({ _id: orgId }, { $set: unknown });
  const known = { find: async (id: UserId) => ({ ...(await people.find(id)), isPlatformAdmin: id === admin.userId }) };
  const upkeep = new FounderUpkeep(mongo, memberships, known as typeof people, founders, work, {} as Platform);
  await upkeep.noteAll();
  await upkeep.noteAll();
  const rows = await organisationsOf.within(tests).find({ _id: { $in: [theirs, platforms] } }, { sort: { _id: 1 } });
  expect(rows.map(({ isByPlatform, founder: by }) => [isByPlatform, by])).toEqual([
    [false, person.userId],
    [true, null],
  ]);
  const told: unknown[] = [];
  await tellOrganisations(mongo, async ({ type }, data) => {
    if (type === 'org.share-changed.v1') told.push(data);
  });
  expect(told).toEqual(
    expect.arrayContaining([
      { orgId: theirs, share: person.userId, rightsVersion: 2 },
      { orgId: platforms, share: platforms, rightsVersion: 2 },
    ]),
  );
});
