import { beforeAll, expect, test } from '@jest/globals';
import { limits, type PersonPrincipal } from '@parley/contracts';
import { hashSecret } from '@parley/platform/crypto';
import { newId } from '@parley/platform/ids';
import { jobScope } from '@parley/platform/mongo';
import { RevocationLog } from '@parley/platform/revocations';
import { job } from '@parley/platform/work';
import type { OrgId, UserId } from '@parley/protocol';
import { aPerson, testStore } from '@parley/testing';
import { UsersRepository } from '../users/index.ts';
import { securityLogOn } from '../security-log.spec-setup.ts';
import { SessionsService } from './sessions.service.ts';

const { mongo, work, clock, ready, recorded } = await testStore();
const users = new UsersRepository(mongo, clock);
const revocations = new RevocationLog(mongo);
const log = securityLogOn({ mongo, clock });
const settings = { registration: 'closed', registrationsPerHour: 20, setupToken: null } as const;
const sessions = new SessionsService(mongo, users, revocations, work, clock, settings, log);
const tests = jobScope('tests');
beforeAll(ready);

const hours = (count: number): number => count * 3_600_000;

async function aUser(): Promise<UserId> {
  const id = newId('user');
  const user = {
    id,
    email: `${id}@example.com`,
    name: 'U',
    locale: 'en',
    timeZone: null,
    isProven: false,
    platformRole: null,
    version: 1,
  } as const;
  await work.run(job('tests'), (tx) => users.create(tests.of(id), { ...user, passwordHash: 'hash' }, tx));
  return id;
}

const start = (userId: UserId) => work.run(job('tests'), (tx) => sessions.start(tests.of(userId), tx));
const resolve = (sessionId: string) => sessions.resolve({ scope: tests, body: { sessionId } } as never);
const gone = { code: 'platform.not-found' };
const asPerson = (userId: UserId, sessionId: string): { principal: PersonPrincipal; scope: unknown } => ({
  principal: aPerson({ userId, sessionKey: hashSecret(sessionId) }),
  scope: tests.of(userId),
});

test('a session that is used lives on, and ends 12 hours after its last use', async () => {
  const userId = await aUser();
  const { id } = await start(userId);
  for (const _ of [1, 2, 3]) {
    clock.advance(hours(11));
    expect((await resolve(id)).me.id).toBe(userId);
  }
  clock.advance(hours(12) + 1);
  await expect(resolve(id)).rejects.toMatchObject({ ...gone, extras: { sessionEnd: 'expired' } });
});

test('a session ends after 30 days, however much it is used', async () => {
  const { id } = await start(await aUser());
  for (let day = 0; day < 60; day += 1) {
    clock.advance(hours(11.9));
    await resolve(id);
  }
  clock.advance(hours(11));
  await expect(resolve(id)).rejects.toMatchObject(gone);
});

test('an unknown session id is nobody', async () => {
  await expect(resolve('nothing')).rejects.toMatchObject(gone);
});

test('signing out ends one session, and everywhere all of the person and nobody else', async () => {
  const [me, other] = [await aUser(), await aUser()];
  const [first, second, third, theirs] = [await start(me), await start(me), await start(me), await start(other)];
  await sessions.signOut(asPerson(me, first.id) as never);
  await expect(resolve(first.id)).rejects.toMatchObject(gone);
  await resolve(second.id);
  await sessions.signOutEverywhere(asPerson(me, second.id) as never);
  for (const { id } of [second, third]) await expect(resolve(id)).rejects.toMatchObject(gone);
  await resolve(theirs.id);
  const ended = (await recorded()).filter(({ type, subject }) => type === 'session.revoked.v1' && subject === me);
  expect(ended.map(({ data }) => (data as { reason: string }).reason)).toEqual([
    'signed-out',
    'signed-out-everywhere',
    'signed-out-everywhere',
  ]);
  const { items } = await revocations.list(0);
  const reasons = new Map(items.map(({ subject, reason }) => [subject, reason]));
  expect(items).toHaveLength(3);
  expect([first, second, third].map(({ id }) => reasons.get(hashSecret(id)))).toEqual([
    'signed-out',
    'signed-out-everywhere',
    'signed-out-everywhere',
  ]);
});

test('a sign-in beyond the most sessions of a person ends those that were unused for longest', async () => {
  const userId = await aUser();
  const made: string[] = [];
  for (let count = 0; count < limits.sessions; count += 1) {
    clock.advance(1);
    made.push((await start(userId)).id);
  }
  const [first, second, third, fourth] = made as [string, string, string, string];
  clock.advance(hours(1));
  await resolve(first);
  const others = sessions.others(tests.of(userId));
  const [last] = await Promise.all(
    [1, 2].map(() => work.run(job('tests'), (tx) => sessions.start(tests.of(userId), tx, { others }))),
  );
  for (const id of [second, third]) await expect(resolve(id)).rejects.toMatchObject(gone);
  for (const id of [first, fourth, last!.id]) expect((await resolve(id)).me.id).toBe(userId);
  const ended = (await recorded()).filter(({ type, subject }) => type === 'session.revoked.v1' && subject === userId);
  expect(ended.map(({ data }) => data)).toMatchObject(
    [second, third].map((id) => ({ sessionKey: hashSecret(id), reason: 'signed-out' })),
  );
});

test("nobody ends or changes another person's session, even with its key", async () => {
  const [me, other] = [await aUser(), await aUser()];
  const theirs = await start(other);
  const orgId = newId('organisation');
  const forged = asPerson(me, theirs.id);
  await sessions.signOut(forged as never);
  await sessions.chooseDefault({ ...forged, body: { orgId } } as never);
  expect((await resolve(theirs.id)).me).toMatchObject({ id: other, defaultOrgId: null });
});

test('a new session starts with the default organisation of the newest other one', async () => {
  const userId = await aUser();
  const orgId: OrgId = newId('organisation');
  const first = await start(userId);
  await sessions.chooseDefault({ ...asPerson(userId, first.id), body: { orgId } } as never);
  clock.advance(1);
  expect((await start(userId)).defaultOrgId).toBe(orgId);
});

test('each session that a person ends is a sign-out in the security log, one that a new password ends is not', async () => {
  const userId = await aUser();
  const [first, second, third] = [await start(userId), await start(userId), await start(userId)];
  await sessions.signOut(asPerson(userId, first.id) as never);
  await work.run(job('tests'), (tx) =>
    sessions.endAll(tx, tests.of(userId), { keep: hashSecret(third.id), reason: 'password-changed' }),
  );
  await expect(resolve(second.id)).rejects.toMatchObject(gone);
  await sessions.signOut(asPerson(userId, third.id) as never);
  await sessions.signOut(asPerson(userId, third.id) as never);
  const { items } = await log.list({ scope: tests, query: { limit: 100 } } as never);
  const kinds = items.filter(({ person }) => person?.userId === userId).map(({ kind }) => kind);
  expect(kinds.filter((kind) => kind === 'signed-in')).toHaveLength(3);
  expect(kinds.filter((kind) => kind === 'signed-out')).toHaveLength(2);
});

test('a sign-in that fails leaves no entry', async () => {
  const userId = await aUser();
  await expect(
    work.run(job('tests'), async (tx) => {
      await sessions.start(tests.of(userId), tx);
      throw new Error('the transaction fails');
    }),
  ).rejects.toThrow('the transaction fails');
  const { items } = await log.list({ scope: tests, query: { limit: 100 } } as never);
  expect(items.filter(({ person }) => person?.userId === userId)).toEqual([]);
});
