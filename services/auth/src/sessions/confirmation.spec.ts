import { beforeAll, expect, test } from '@jest/globals';
import { confirmedMs } from '@parley/contracts';
import { Counts } from '@parley/platform/counts';
import { hashSecret } from '@parley/platform/crypto';
import { newId } from '@parley/platform/ids';
import { MemoryKv } from '@parley/platform/kv';
import { jobScope } from '@parley/platform/mongo';
import { RevocationLog } from '@parley/platform/revocations';
import type { Platform } from '@parley/platform/service';
import { job } from '@parley/platform/work';
import { networkHeader, type UserId } from '@parley/protocol';
import { aPerson, testStore } from '@parley/testing';
import { hashPassword } from '../passwords/index.ts';
import { securityLogOn } from '../security-log.spec-setup.ts';
import { UsersRepository } from '../users/index.ts';
import { ConfirmationService } from './confirmation.service.ts';
import { SessionsService } from './sessions.service.ts';

const { mongo, work, clock, ready } = await testStore();
const users = new UsersRepository(mongo, clock);
const log = securityLogOn({ mongo, clock });
const settings = { registration: 'closed', registrationsPerHour: 20, setupToken: null } as const;
const sessions = new SessionsService(mongo, users, new RevocationLog(mongo), work, clock, settings, log);
const counts = new Counts(new MemoryKv(), () => clock.now().getTime());
const service = new ConfirmationService(mongo, users, counts, log, work, clock, {} as Platform);
const tests = jobScope('tests');
const password = 'three quiet herons';
let passwordHash: string;
beforeAll(async () => {
  // Counts expire by the system clock. Start the test clock at the next window, so that none expires during the tests.
  const quarterHourMs = 900_000;
  clock.advance(Math.ceil(Date.now() / quarterHourMs) * quarterHourMs - clock.now().getTime());
  passwordHash = await hashPassword(password);
  await ready();
});

async function signedIn() {
  const id: UserId = newId('user');
  const user = { id, email: `${id}@example.com`, name: 'Ada', locale: 'en', timeZone: null, isProven: false } as const;
  const session = await work.run(job('tests'), async (tx) => {
    await users.create(tests.of(id), { ...user, platformRole: null, version: 1, passwordHash }, tx);
    return sessions.start(tests.of(id), tx);
  });
  const caller = { scope: tests.of(id), principal: aPerson({ userId: id, sessionKey: hashSecret(session.id) }) };
  const request = { header: (name: string) => (name === networkHeader ? '192.0.2.0/24' : undefined) };
  return {
    id,
    read: () => service.read(caller as never),
    confirm: (given = password) => service.confirm({ ...caller, body: { password: given }, request } as never),
    resolved: () => sessions.resolve({ scope: tests, body: { sessionId: session.id } } as never),
    logged: async () => {
      const { items } = await log.list({ scope: tests, query: { limit: 100 } } as never);
      const own = items.filter(({ person }) => person?.userId === id);
      return own.map(({ kind, count, network }) => [kind, count, network]);
    },
  };
}
const in10Minutes = (): string => new Date(clock.now().getTime() + confirmedMs).toISOString();

test('a session opens what is sensitive for ten minutes after its sign-in, and after each entered password', async () => {
  const { read, confirm, resolved } = await signedIn();
  expect(await read()).toEqual({ confirmedUntil: in10Minutes() });
  expect(await resolved()).not.toHaveProperty('confirmedAt');
  clock.advance(confirmedMs - 1);
  expect((await read()).confirmedUntil).not.toBeNull();
  clock.advance(1);
  expect(await read()).toEqual({ confirmedUntil: null });
  expect(await confirm()).toEqual({ confirmedUntil: in10Minutes() });
  expect(await resolved()).toMatchObject({ confirmedAt: clock.now().toISOString() });
});

test('a wrong password confirms nothing, is counted, and the security log has both', async () => {
  const { read, confirm, logged } = await signedIn();
  clock.advance(confirmedMs);
  for (let attempt = 0; attempt < 10; attempt += 1)
    await expect(confirm('three loud herons')).rejects.toMatchObject({ code: 'auth.password-wrong' });
  await expect(confirm()).rejects.toMatchObject({ code: 'platform.rate-limited' });
  expect(await read()).toEqual({ confirmedUntil: null });
  clock.advance(15 * 60_000);
  await confirm();
  const entries = await logged();
  expect(entries).toContainEqual(['password-confirmed', 1, '192.0.2.0/24']);
  const failed = entries.filter(([kind]) => kind === 'sign-in-failed');
  expect(failed.reduce((sum, [, count]) => sum + Number(count), 0)).toBe(10);
});

test('a password that is changed while it is compared confirms nothing', async () => {
  const { id, read, confirm } = await signedIn();
  clock.advance(confirmedMs);
  const other = await hashPassword('four quiet herons');
  const confirming = confirm();
  await work.run(job('tests'), (tx) => users.setPassword(tests.of(id), other, tx));
  await expect(confirming).rejects.toMatchObject({ code: 'auth.password-wrong' });
  expect(await read()).toEqual({ confirmedUntil: null });
});
