import { beforeAll, expect, jest, test } from '@jest/globals';
import { argon2, randomBytes } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';
import { Counts } from '@parley/platform/counts';
import { newId } from '@parley/platform/ids';
import { MemoryKv } from '@parley/platform/kv';
import { jobScope } from '@parley/platform/mongo';
import { RevocationLog } from '@parley/platform/revocations';
import type { Platform } from '@parley/platform/service';
import { job } from '@parley/platform/work';
import { networkHeader, sessionHeader, type Problem, type UserId } from '@parley/protocol';
import { testStore } from '@parley/testing';
import { hashPassword } from '../passwords/index.ts';
import { UsersRepository } from '../users/index.ts';
import { securityLogOn } from '../security-log.spec-setup.ts';
import { SessionsService } from './sessions.service.ts';
import { SignInService } from './sign-in.service.ts';

const { mongo, work, clock, ready, recorded } = await testStore();
const users = new UsersRepository(mongo, clock);
const log = securityLogOn({ mongo, clock });
const warned: object[] = [];
const platform = { logger: { warn: (what: object) => void warned.push(what) } } as unknown as Platform;
const settings = { registration: 'closed', registrationsPerHour: 20, setupToken: null } as const;
const sessions = new SessionsService(mongo, users, new RevocationLog(mongo), work, clock, settings, log);
const signingIn = new SignInService(
  users,
  sessions,
  work,
  new Counts(new MemoryKv(), () => clock.now().getTime()),
  settings,
  log,
  platform,
);
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

async function aUser(): Promise<{ id: UserId; email: string }> {
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
  await work.run(job('tests'), (tx) => users.create(tests.of(id), { ...user, passwordHash }, tx));
  return user;
}

test('a password that is changed while it is compared signs nobody in', async () => {
  const { id, email } = await aUser();
  const changed = await hashPassword('four loud bitterns');
  const slow = await slowHash(password);
  await work.run(job('tests'), (tx) => users.setPassword(tests.of(id), slow, tx));
  const signing = signIn(email);
  // It has read what is stored, and goes on comparing for ten times as long.
  await wait(50);
  await work.run(job('tests'), (tx) => users.setPassword(tests.of(id), changed, tx));
  await expect(signing).rejects.toMatchObject({ code: 'auth.invalid-credentials' });
});

/** As `hashPassword`, and compared with for half a second instead of 40 ms. */
async function slowHash(of: string): Promise<string> {
  const [memory, passes, nonce] = [19_456, 30, randomBytes(16)];
  const cost = { memory, passes, parallelism: 1, tagLength: 32 };
  const tag = await promisify(argon2)('argon2id', { message: of, nonce, ...cost });
  return ['argon2id', memory, passes, nonce.toString('base64url'), tag.toString('base64url')].join('$');
}

type Browser = { readonly network?: string; readonly earlier?: string };
async function signIn(
  email: string,
  given = password,
  { network = '192.0.2.0/24', earlier }: Browser = {},
): Promise<{ sessionId: string; me: object }> {
  let sessionId = '';
  const headers = new Map([
    [networkHeader, network],
    [sessionHeader, earlier],
  ]);
  const request = { header: (name: string) => headers.get(name) };
  const input = { body: { email, password: given }, request, startSession: (id: string) => void (sessionId = id) };
  const me = await signingIn.signIn(input as never);
  return { sessionId, me };
}
const refused = { code: 'auth.invalid-credentials' };

test('the right password starts a session of that person, and tells of it', async () => {
  const { id, email } = await aUser();
  const { sessionId, me } = await signIn(email);
  expect(me).toMatchObject({ id, email });
  expect(JSON.stringify(me)).not.toContain('argon2id');
  expect((await sessions.resolve({ scope: tests, body: { sessionId } } as never)).me.id).toBe(id);
  const events = (await recorded()).filter(({ subject }) => subject === id);
  expect(events.map(({ type, onbehalfof }) => [type, onbehalfof])).toEqual([['session.created.v1', `person:${id}`]]);
});

test("a wrong password, an unknown address and another's password are refused alike", async () => {
  const { email } = await aUser();
  await expect(signIn(email, 'three quiet heron')).rejects.toMatchObject(refused);
  await expect(signIn('nobody@example.com')).rejects.toMatchObject(refused);
  await expect(signIn(email, passwordHash)).rejects.toMatchObject(refused);
});

test('ten wrong tries of an account are answered, the next one is not looked at, and other accounts go on', async () => {
  const [{ email }, other] = [await aUser(), await aUser()];
  for (let tries = 0; tries < 10; tries += 1) await expect(signIn(email, 'wrong')).rejects.toMatchObject(refused);
  await expect(signIn(email)).rejects.toMatchObject({ code: 'platform.rate-limited' });
  await signIn(other.email);
});

test('who tries from elsewhere locks nobody out, and hears how long it really takes', async () => {
  const { email } = await aUser();
  const elsewhere = { network: '198.51.100.0/24' };
  for (let tries = 0; tries < 10; tries += 1)
    await expect(signIn(email, 'wrong', elsewhere)).rejects.toMatchObject(refused);
  const locked = await signIn(email, password, elsewhere).catch((error: unknown) => error);
  const { retryAfterSeconds } = (locked as Problem).extras;
  expect(retryAfterSeconds).toBe(Math.ceil((900_000 - (clock.now().getTime() % 900_000)) / 1000));
  await signIn(email);
  clock.advance(retryAfterSeconds! * 1000);
  await signIn(email, password, elsewhere);
});

test('ends the session that the browser had before, whosever it was, and no other', async () => {
  const [one, other] = [await aUser(), await aUser()];
  const [first, elsewhere] = [await signIn(one.email), await signIn(one.email)];
  await signIn(other.email, password, { earlier: first.sessionId });
  const resolve = (sessionId: string) => sessions.resolve({ scope: tests, body: { sessionId } } as never);
  await expect(resolve(first.sessionId)).rejects.toMatchObject({ code: 'platform.not-found' });
  expect((await resolve(elsewhere.sessionId)).me.id).toBe(one.id);
});

test('the right password forgets the wrong ones before it', async () => {
  const { email } = await aUser();
  for (let tries = 0; tries < 9; tries += 1) await expect(signIn(email, 'wrong')).rejects.toMatchObject(refused);
  await signIn(email);
  await expect(signIn(email, 'wrong')).rejects.toMatchObject(refused);
  await signIn(email);
});

const logged = async () => (await log.list({ scope: tests, query: { limit: 100 } } as never)).items;
const loggedOf = async (userId: UserId) => (await logged()).filter(({ person }) => person?.userId === userId);

test('a sign-in is in the security log, with its network', async () => {
  const { id, email } = await aUser();
  await signIn(email);
  expect(await loggedOf(id)).toMatchObject([
    { kind: 'signed-in', count: 1, person: { name: 'U', email }, unknownAddress: null, network: '192.0.2.0/24' },
  ]);
});

test('failures are one entry per account and hour, wherever they come from, until the limit', async () => {
  const { id, email } = await aUser();
  const untilHour = 3_600_000 - (clock.now().getTime() % 3_600_000);
  clock.advance(untilHour);
  for (let tries = 0; tries < 10; tries += 1) await expect(signIn(email, 'wrong')).rejects.toMatchObject(refused);
  const elsewhere = { network: '198.51.100.0/24' };
  clock.advance(60_000);
  await expect(signIn(email, 'wrong', elsewhere)).rejects.toMatchObject(refused);
  await expect(signIn(email, 'wrong')).rejects.toMatchObject({ code: 'platform.rate-limited' });
  const [entry, ...others] = await loggedOf(id);
  expect(others).toEqual([]);
  expect(entry).toMatchObject({ kind: 'sign-in-failed', count: 11, network: elsewhere.network });
  expect(Date.parse(entry!.lastAt) - Date.parse(entry!.at)).toBe(60_000);
  clock.advance(3_600_000);
  await expect(signIn(email, 'wrong')).rejects.toMatchObject(refused);
  expect((await loggedOf(id)).map(({ count }) => count)).toEqual([1, 11]);
});

test('an address without an account is never stored in clear, nor is a password', async () => {
  const typed = 'my-secret-password@nowhere.example';
  for (const given of [password, 'wrong-and-secret']) await expect(signIn(typed, given)).rejects.toMatchObject(refused);
  const rows = JSON.stringify(await mongo.connection.collection('security_log').find({}).toArray());
  expect(rows).not.toMatch(/nowhere|secret|herons/);
  const [entry] = (await logged()).filter(({ person }) => person === null);
  expect(entry).toMatchObject({ kind: 'sign-in-failed', unknownAddress: expect.stringMatching(/^[0-9a-f]{16}$/) });
});

test('a failure that the log cannot record is refused like any other', async () => {
  const { email } = await aUser();
  const broken = jest.spyOn(log, 'countFailure').mockRejectedValueOnce(new Error('disk full'));
  await expect(signIn(email, 'wrong')).rejects.toMatchObject(refused);
  broken.mockRestore();
  expect(warned).toHaveLength(1);
});
