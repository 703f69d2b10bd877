import { expect, test } from '@jest/globals';
import { limits, sessionCreated, type PersonPrincipal } from '@parley/contracts';
import { newId } from '@parley/platform/ids';
import { job } from '@parley/platform/work';
import type { OrgId } from '@parley/protocol';
import { membershipRows } from '../rights/index.ts';
import { auditRows } from './audit.collection.ts';
import { asked, founded, inRole, joined, orgSetup, tests } from '../org.spec-setup.ts';

const setup = await orgSetup();
const { appender, audit, mongo, work, clock, memberships } = setup;

const signedIn = ({ userId }: PersonPrincipal, time = clock.now().toISOString()) =>
  work.run(job('tests'), (tx) =>
    appender.append(
      [{ id: newId('event'), type: sessionCreated.type, time, tenantid: null, sequence: 1, data: { userId } } as never],
      tx,
    ),
  );
const list = async (reader: PersonPrincipal, query: object = {}) =>
  (await audit.list(asked(reader, { query: { limit: 50, ...query } }))).items;
const signInsSeenBy = async (reader: PersonPrincipal) =>
  (await list(reader)).filter(({ act }) => act === 'member.signed-in');
const withoutPii = (orgId: OrgId) => inRole(orgId, ['audit:read']);

test("a sign-in is recorded in each organisation of the person and in nobody else's", async () => {
  const [one, other] = [await founded(setup), await founded(setup)];
  await signedIn(one.owner);
  expect(await signInsSeenBy(one.owner)).toMatchObject([
    { at: clock.now().toISOString(), actor: { userId: one.owner.userId }, target: { id: one.owner.userId } },
  ]);
  expect(await signInsSeenBy(other.owner)).toEqual([]);
});

test('a sign-in is recorded in all organisations of a person who is in more than a page of them', async () => {
  const { orgId, owner } = await founded(setup);
  const { userId } = owner;
  const row = (await memberships.find(tests.in(orgId), userId))!;
  const others = Array.from({ length: limits.pageSize + 20 }, () => newId('organisation'));
  for (const other of others)
    await mongo
      .rows(membershipRows)
      .within(tests.in(other))
      .insert({ ...row, _id: `${other}/${userId}`, orgId: other, nameWords: [], words: [] });
  await signedIn(owner);
  const entries = mongo.rows(auditRows);
  const counts = [orgId, ...others].map((each) => entries.within(tests.in(each)).count({ act: 'member.signed-in' }));
  expect(await Promise.all(counts)).toEqual(Array.from({ length: counts.length }, () => 1));
});

test('readers without member:read_pii find no sign-in, whatever they filter by', async () => {
  const { orgId, owner } = await founded(setup);
  await signedIn(owner);
  const reader = withoutPii(orgId);
  const { userId } = owner;
  for (const query of [{}, { actor: userId }, { target: userId }, { act: 'member.signed-in' }])
    expect((await list(reader, query)).filter(({ act }) => act === 'member.signed-in')).toEqual([]);
  expect(await list(reader, { actor: userId })).not.toEqual([]);
  expect(await list(owner, { act: 'member.signed-in' })).toHaveLength(1);
  expect(await list(reader, { limit: 1 })).toMatchObject([{ act: 'organisation.created' }]);
});

test('a suspended person, or one who joined later, has no sign-in there', async () => {
  const { orgId, owner } = await founded(setup);
  const member = await joined(setup, orgId, 'member');
  await signedIn(member, new Date(clock.now().getTime() - 1_000).toISOString());
  const row = (await memberships.find(tests.in(orgId), member.userId))!;
  await work.run(owner, (tx) => memberships.change(tests.in(orgId), tx, { row, change: { status: 'suspended' } }));
  await signedIn(member);
  expect(await signInsSeenBy(owner)).toEqual([]);
});

test('a person without any organisation is no error', async () => {
  await signedIn(inRole(newId('organisation'), 'member'));
});
