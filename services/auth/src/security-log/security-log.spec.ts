import { beforeAll, expect, test } from '@jest/globals';
import type { SecurityKind } from '@parley/contracts';
import { newId } from '@parley/platform/ids';
import { jobScope } from '@parley/platform/mongo';
import { job } from '@parley/platform/work';
import { testStore } from '@parley/testing';
import { UsersRepository } from '../users/index.ts';
import { mostUnknownPerHour } from './security-log.ts';
import { securityLogOn } from '../security-log.spec-setup.ts';

const { mongo, work, clock, ready } = await testStore();
const users = new UsersRepository(mongo, clock);
const log = securityLogOn({ mongo, clock });
const tests = jobScope('tests');
beforeAll(async () => {
  // Counts expire by the time of the machine.
  clock.advance(Date.now() - clock.now().getTime());
  await ready();
});

const list = (query: { limit: number; cursor?: string | undefined; kind?: SecurityKind }) =>
  log.list({ scope: tests, query } as never);
const fail = (email: string) => log.countFailure({ email, userId: null, network: null });

async function aUser() {
  const id = newId('user');
  const user = { id, email: `${id}@example.com`, name: 'Ada', locale: 'en', timeZone: null, isProven: false } as const;
  const account = { ...user, platformRole: null, version: 1, passwordHash: 'hash' };
  await work.run(job('tests'), (tx) => users.create(tests.of(id), account, tx));
  return user;
}

test('lists the newest first, page by page, by kind, and people under their current name', async () => {
  const { id, email } = await aUser();
  const record = (kind: 'signed-in' | 'signed-out') => {
    clock.advance(1_000);
    return work.run(job('tests'), (tx) => log.record(tx, { kind, userId: id, network: '192.0.2.0/24' }));
  };
  await record('signed-in');
  await log.countFailure({ email, userId: id, network: null });
  await record('signed-out');
  await record('signed-in');
  await work.run(job('tests'), (tx) => users.update(tests.of(id), { version: 1, changes: { name: 'Grace' } }, tx));
  const first = await list({ limit: 2 });
  const second = await list({ limit: 2, cursor: first.nextCursor! });
  const all = [...first.items, ...second.items];
  expect(all.map(({ kind }) => kind).slice(0, 2)).toEqual(['signed-in', 'signed-out']);
  expect(all.map(({ kind }) => kind).toSorted()).toEqual(['sign-in-failed', 'signed-in', 'signed-in', 'signed-out']);
  expect(second.nextCursor).toBeNull();
  expect(new Set(all.map(({ person }) => JSON.stringify(person)))).toEqual(
    new Set([JSON.stringify({ userId: id, name: 'Grace', email })]),
  );
  expect((await list({ limit: 10, kind: 'sign-in-failed' })).items).toHaveLength(1);
});

test('failures at once are all counted, in one entry', async () => {
  clock.advance(3_600_000);
  await Promise.all(Array.from({ length: 20 }, () => fail('one@nowhere.example')));
  const { items } = await list({ limit: 1, kind: 'sign-in-failed' });
  expect(items).toMatchObject([{ count: 20, person: null }]);
});

test('addresses at random share an entry beyond the first ones of the hour', async () => {
  clock.advance(3_600_000);
  const before = await mongo.connection.collection('security_log').countDocuments();
  for (let at = 0; at < mostUnknownPerHour + 50; at += 1) await fail(`guess-${at}@nowhere.example`);
  expect(await mongo.connection.collection('security_log').countDocuments()).toBe(before + mostUnknownPerHour + 1);
  const { items } = await list({ limit: mostUnknownPerHour + 10, kind: 'sign-in-failed' });
  const shared = items.filter(({ person, unknownAddress }) => person === null && unknownAddress === null);
  expect(shared.map(({ count }) => count)).toEqual([50]);
});

test('entries are deleted after 90 days', async () => {
  const indexes = await mongo.connection.collection('security_log').indexes();
  expect(indexes.find(({ expireAfterSeconds }) => expireAfterSeconds !== undefined)).toMatchObject({
    key: { at: 1 },
    expireAfterSeconds: 90 * 24 * 3600,
  });
});
