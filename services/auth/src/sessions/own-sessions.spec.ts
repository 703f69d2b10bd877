import { beforeAll, expect, test } from '@jest/globals';
import { hashSecret } from '@parley/platform/crypto';
import { newId } from '@parley/platform/ids';
import { jobScope } from '@parley/platform/mongo';
import { RevocationLog } from '@parley/platform/revocations';
import { job } from '@parley/platform/work';
import type { UserId } from '@parley/protocol';
import { aPerson, testStore } from '@parley/testing';
import { UsersRepository } from '../users/index.ts';
import { OwnSessionsService } from './own-sessions.service.ts';
import type { Browser } from './session.ts';
import { securityLogOn } from '../security-log.spec-setup.ts';
import { SessionsService } from './sessions.service.ts';

const { mongo, work, clock, ready, recorded } = await testStore();
const users = new UsersRepository(mongo, clock);
const revocations = new RevocationLog(mongo);
const settings = { registration: 'closed', registrationsPerHour: 20, setupToken: null } as const;
const all = new SessionsService(mongo, users, revocations, work, clock, settings, securityLogOn({ mongo, clock }));
const own = new OwnSessionsService(mongo, all, work, clock);
const tests = jobScope('tests');
const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
beforeAll(ready);

async function aUser(): Promise<UserId> {
  const id = newId('user');
  const user = { id, email: `${id}@example.com`, name: 'U', locale: 'en', timeZone: null, isProven: false } as const;
  const account = { ...user, platformRole: null, version: 1, passwordHash: 'hash' };
  await work.run(job('tests'), (tx) => users.create(tests.of(id), account, tx));
  return id;
}

type Here = { readonly userId: UserId; readonly secret: string; readonly key: string };
async function start(userId: UserId, browser?: Browser): Promise<Here> {
  const { id: secret } = await work.run(job('tests'), (tx) => all.start(tests.of(userId), tx, browser));
  return { userId, secret, key: hashSecret(secret) };
}
const input = ({ userId, key }: Here) => ({ scope: tests.of(userId), principal: aPerson({ userId, sessionKey: key }) });
const list = (here: Here) => own.list(input(here) as never);
const endOne = (here: Here, sessionId: string) => own.endOne({ ...input(here), params: { sessionId } } as never);
const resolve = ({ secret }: Here) => all.resolve({ scope: tests, body: { sessionId: secret } } as never);
const gone = { code: 'platform.not-found' };

test('lists the own sessions with browser and network, this one first, then by last use', async () => {
  const [me, other] = [await aUser(), await aUser()];
  await start(other);
  const used = await start(me, { userAgent: 'Firefox', network: '192.0.2.0/24' });
  const unused = await start(me);
  const here = await start(me);
  clock.advance(hourMs);
  await resolve(used);
  const { items, ended } = await list(here);
  expect(items.map(({ id, isThis }) => [id, isThis])).toEqual([
    [here.key, true],
    [used.key, false],
    [unused.key, false],
  ]);
  expect(items[1]).toMatchObject({
    userAgent: 'Firefox',
    network: '192.0.2.0/24',
    lastUsedAt: clock.now().toISOString(),
  });
  expect(items[2]).toMatchObject({ userAgent: null, network: null });
  expect(ended).toEqual([]);
  expect(JSON.stringify({ items, ended })).not.toContain(here.secret);
});

test('ends one of them, as often as one likes, and tells every browser and screen', async () => {
  const me = await aUser();
  const [here, there] = [await start(me), await start(me, { userAgent: 'Safari' })];
  await endOne(here, there.key);
  await endOne(here, there.key);
  await expect(resolve(there)).rejects.toMatchObject(gone);
  await resolve(here);
  const { items, ended } = await list(here);
  expect(items).toHaveLength(1);
  expect(ended).toMatchObject([
    { id: there.key, userAgent: 'Safari', how: 'ended-by-you', endedAt: clock.now().toISOString() },
  ]);
  const revoked = (await revocations.list(0)).items.filter(({ subject }) => subject === there.key);
  expect(revoked).toMatchObject([{ kind: 'session', reason: 'ended-by-you' }]);
  const told = (await recorded()).filter(({ type, subject }) => type === 'session.revoked.v1' && subject === me);
  expect(told).toHaveLength(1);
});

test("neither another person's session nor this one is another session of one's own", async () => {
  const here = await start(await aUser());
  const theirs = await start(await aUser());
  for (const key of [theirs.key, here.key, hashSecret('nobody')])
    await expect(endOne(here, key)).rejects.toMatchObject(gone);
  await endOne(theirs, (await start(theirs.userId)).key);
  const [ended] = (await list(theirs)).ended;
  await expect(endOne(here, ended!.id)).rejects.toMatchObject(gone);
  await resolve(theirs);
});

test('ends all others at once, and nobody else', async () => {
  const me = await aUser();
  const [here, one, two] = [await start(me), await start(me), await start(me)];
  const theirs = await start(await aUser());
  expect(await own.endOthers(input(here) as never)).toEqual({ endedSessions: 2 });
  expect(await own.endOthers(input(here) as never)).toEqual({ endedSessions: 0 });
  for (const session of [one, two]) await expect(resolve(session)).rejects.toMatchObject(gone);
  await resolve(here);
  await resolve(theirs);
});

test('says for 30 days of those that have ended how, the newest end first; expired ones are among them', async () => {
  const me = await aUser();
  const idle = await start(me);
  const left = await start(me);
  await all.signOut(input(left) as never);
  clock.advance(13 * hourMs);
  const there = await start(me);
  const here = await start(me);
  await endOne(here, there.key);
  expect((await list(here)).ended.map(({ id, how }) => [id, how])).toEqual([
    [there.key, 'ended-by-you'],
    [idle.key, 'expired'],
    [left.key, 'signed-out'],
  ]);
  expect(await own.endOthers(input(here) as never)).toEqual({ endedSessions: 0 });
  clock.advance(30 * dayMs - 1 * hourMs);
  const later = await start(me);
  expect((await list(later)).ended.map(({ id }) => id)).toEqual([here.key, there.key]);
});
