import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { passwordChanged, recoveryRequested, sessionRevoked } from '@parley/contracts';
import { Counts } from '@parley/platform/counts';
import { hashSecret } from '@parley/platform/crypto';
import { newId } from '@parley/platform/ids';
import { MemoryKv } from '@parley/platform/kv';
import { RevocationLog } from '@parley/platform/revocations';
import { job } from '@parley/platform/work';
import { networkHeader, type EventEnvelope, type UserId } from '@parley/protocol';
import { MailBench, MailFolder, tests } from '../mail-bench.spec-setup.ts';
import { hashPassword, verifyPassword } from '../passwords/index.ts';
import { securityLogOn } from '../security-log.spec-setup.ts';
import { SessionsService } from '../sessions/index.ts';
import { PasswordSetting } from './password-setting.ts';
import { resetLinkRows } from './recovery.collection.ts';
import { RecoveryConsumer } from './recovery.consumer.ts';
import { RecoveryService } from './recovery.service.ts';
import { ResetLinks } from './reset-links.ts';

const folder = await MailFolder.open();
const bench = await MailBench.open(folder.mailer);
const { mongo, work, clock, recorded, ready } = bench.store;
const { users, service: mails } = bench;
const settings = { registration: 'closed', registrationsPerHour: 20, setupToken: null } as const;
const revocations = new RevocationLog(mongo);
const sessions = new SessionsService(mongo, users, revocations, work, clock, settings, securityLogOn({ mongo, clock }));
const links = new ResetLinks(mongo, mails, clock);
const counts = new Counts(new MemoryKv(), () => clock.now().getTime());
const passwords = new PasswordSetting(users, sessions, links, { peers: { call: async () => null } } as never);
const recovery = new RecoveryService(mongo, users, sessions, links, passwords, counts, folder.mailer, work, clock);
const consumer = new RecoveryConsumer(mongo, users, links, mails);

const oldPassword = 'three quiet herons';
const newPassword = 'four loud bitterns';
let passwordHash: string;
beforeAll(async () => {
  // Counts expire by the system clock. Start the test clock at the next window, so that none expires during the tests.
  const quarterHourMs = 900_000;
  clock.advance(Math.ceil(Date.now() / quarterHourMs) * quarterHourMs - clock.now().getTime());
  passwordHash = await hashPassword(oldPassword);
  await ready();
});
afterAll(() => folder.remove());

type Person = { readonly id: UserId; readonly email: string };
async function aPerson(): Promise<Person> {
  const id = newId('user');
  const user = { id, email: `${id.toLowerCase()}@example.com`, name: 'U', locale: 'ar' } as const;
  await work.run(job('tests'), (tx) =>
    users.create(
      tests.of(id),
      { ...user, isProven: false, timeZone: null, platformRole: null, version: 1, passwordHash },
      tx,
    ),
  );
  return user;
}
const signIn = (id: UserId) => work.run(job('tests'), (tx) => sessions.start(tests.of(id), tx));
const isSignedIn = (sessionId: string): Promise<boolean> =>
  sessions.resolve({ scope: tests, body: { sessionId } } as never).then(
    () => true,
    () => false,
  );

const seen = new Set<string>();
/** Has every event handled that was not yet, as the consumers would. */
async function handleEvents(): Promise<void> {
  for (const event of await recorded()) {
    if (seen.has(event.id)) continue;
    seen.add(event.id);
    const handle = {
      [recoveryRequested.type]: () =>
        work.run(job('tests'), (tx) => consumer.sendResetLink(event as EventEnvelope<never>, { tx } as never)),
      [passwordChanged.type]: () =>
        work.run(job('tests'), (tx) => consumer.tellOfPassword(event as EventEnvelope<never>, { tx } as never)),
    }[event.type];
    await handle?.();
  }
}
let networks = 0;
const ask = (email: string, network = `network ${(networks += 1)}`) => {
  const request = { header: (name: string) => (name === networkHeader ? network : undefined) };
  return recovery.request({ body: { email, locale: 'en' }, request } as never);
};
const mailsTo = async (email: string) => (await bench.list()).items.filter(({ to }) => to === email);
/** Asks for a link as the person would, and takes the token out of the newest mail. */
async function tokenFor({ email }: Person): Promise<string> {
  clock.advance(60_000);
  await ask(email);
  await handleEvents();
  const [newest] = (await mailsTo(email)).filter(({ kind }) => kind === 'password-reset');
  const row = await bench.row(newest!.id);
  return (await mails.linkOf(row))!.split('#')[1]!;
}
async function reset(token: string, password = newPassword): Promise<{ endedSessions: number; sessionId: string }> {
  let sessionId = '';
  const startSession = (id: string) => void (sessionId = id);
  const input = { body: { token, password }, request: { header: () => undefined }, startSession };
  return { ...(await recovery.reset(input as never)), sessionId };
}
const change = ({ id }: Person, sessionKey: string, body: object) =>
  recovery.change({ scope: tests.of(id), principal: { kind: 'person', userId: id, sessionKey }, body } as never);
const ended = { code: 'auth.link-ended' };

test('known or unknown: the same answer, before anybody looks; only the known one gets a mail', async () => {
  const person = await aPerson();
  const answers = [await ask(person.email), await ask('nobody@example.com')];
  expect(answers[1]).toEqual(answers[0]);
  expect(JSON.stringify(await recorded())).not.toContain('nobody@example.com');
  await handleEvents();
  expect(await mailsTo('nobody@example.com')).toEqual([]);
  expect(await mailsTo(person.email)).toMatchObject([{ kind: 'password-reset', locale: 'ar', state: 'waiting' }]);
  expect(await mongo.connection.collection('recoveries').countDocuments()).toBe(0);
});

test('the limit counts known and unknown addresses alike, by network', async () => {
  for (const email of [(await aPerson()).email, 'nobody-else@example.com']) {
    for (let count = 0; count < 5; count += 1) await ask(email, 'one network');
    await expect(ask(email, 'one network')).rejects.toMatchObject({ code: 'platform.rate-limited' });
    await ask(email, 'another network');
  }
  await handleEvents();
});

test('a link sets the password once, ends every session, signs in, and a notice is mailed', async () => {
  const person = await aPerson();
  const before = [await signIn(person.id), await signIn(person.id)];
  const token = await tokenFor(person);
  const endsAt = new Date(clock.now().getTime() + 30 * 60_000).toISOString();
  expect(await recovery.check({ body: { token } } as never)).toEqual({ email: person.email, endsAt });
  const { sessionId, endedSessions } = await reset(token);
  expect(endedSessions).toBe(2);
  expect(await Promise.all(before.map(({ id }) => isSignedIn(id)))).toEqual([false, false]);
  expect(await isSignedIn(sessionId)).toBe(true);
  const stored = await users.passwordHash(tests.of(person.id));
  expect(await verifyPassword(newPassword, stored)).toBe(true);
  expect(await verifyPassword(oldPassword, stored)).toBe(false);
  await expect(reset(token)).rejects.toMatchObject(ended);
  await expect(recovery.check({ body: { token } } as never)).rejects.toMatchObject(ended);
  await handleEvents();
  expect((await mailsTo(person.email)).map(({ kind }) => kind)).toContain('password-changed');
  const told = (await recorded()).filter(({ type }) => type === sessionRevoked.type).map(({ data }) => data);
  expect(told).toContainEqual(expect.objectContaining({ userId: person.id, reason: 'password-changed' }));
  expect((await revocations.list(0)).items.filter(({ kind }) => kind === 'session').length).toBeGreaterThanOrEqual(2);
});

test('of 20 at once one succeeds', async () => {
  const person = await aPerson();
  const token = await tokenFor(person);
  const outcomes = await Promise.allSettled(Array.from({ length: 20 }, () => reset(token)));
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  for (const outcome of outcomes) if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject(ended);
});

test('whoever asks all the time fills no mailbox: a minute passes between two mails', async () => {
  const person = await aPerson();
  for (let count = 0; count < 3; count += 1) {
    await ask(person.email);
    await handleEvents();
  }
  expect(await mailsTo(person.email)).toHaveLength(1);
  clock.advance(60_000);
  await ask(person.email);
  await handleEvents();
  expect(await mailsTo(person.email)).toHaveLength(2);
});

test('the store holds no token', async () => {
  const person = await aPerson();
  const token = await tokenFor(person);
  const collections = await mongo.connection.db!.collections();
  const kept: string[] = [];
  for (const { collectionName } of collections) {
    const rows = await mongo.connection.collection(collectionName).find().toArray();
    expect([collectionName, JSON.stringify(rows).includes(token)]).toEqual([collectionName, false]);
    if (JSON.stringify(rows).includes(hashSecret(token))) kept.push(collectionName);
  }
  expect(kept).toContain(resetLinkRows.name);
});

test.each(['', 'guessed', 'a'.repeat(43)])('a link that never was: %j', async (token) => {
  await expect(recovery.check({ body: { token } } as never)).rejects.toMatchObject(ended);
  await expect(reset(token)).rejects.toMatchObject(ended);
});

test('a cut, a doubled, a replaced and an expired link are answered alike', async () => {
  const person = await aPerson();
  const replaced = await tokenFor(person);
  const token = await tokenFor(person);
  for (const wrong of [token.slice(0, -1), `${token}${token}`, `${token} `, replaced])
    await expect(reset(wrong)).rejects.toMatchObject(ended);
  clock.advance(30 * 60_000);
  await expect(recovery.check({ body: { token } } as never)).rejects.toMatchObject(ended);
  await expect(reset(token)).rejects.toMatchObject(ended);
  expect(await verifyPassword(oldPassword, await users.passwordHash(tests.of(person.id)))).toBe(true);
});

test('a replaced link is handed over no more, and its mail does not go out', async () => {
  const person = await aPerson();
  await tokenFor(person);
  const [first] = await mailsTo(person.email);
  await tokenFor(person);
  await expect(bench.showLink(first!.id)).rejects.toMatchObject(ended);
  await bench.sender().sendDue();
  expect((await bench.row(first!.id)).state).toBe('failed');
});

test('a password that guessers try first is refused, and the link goes on working', async () => {
  const person = await aPerson();
  const token = await tokenFor(person);
  await expect(reset(token, 'password1234')).rejects.toMatchObject({ code: 'auth.password-too-common' });
  await reset(token);
});

test('changing the password asks for the present one, keeps this session and ends the others and every link', async () => {
  const person = await aPerson();
  const token = await tokenFor(person);
  const [mine, other] = [await signIn(person.id), await signIn(person.id)];
  const { sessionKey } = await sessions.resolve({ scope: tests, body: { sessionId: mine.id } } as never);
  const wrong = change(person, sessionKey, { current: 'not this one', password: newPassword });
  await expect(wrong).rejects.toMatchObject({ code: 'auth.password-wrong' });
  expect(await change(person, sessionKey, { current: oldPassword, password: newPassword })).toEqual({
    endedSessions: 1,
  });
  expect([await isSignedIn(mine.id), await isSignedIn(other.id)]).toEqual([true, false]);
  await expect(reset(token)).rejects.toMatchObject(ended);
  await handleEvents();
  expect((await mailsTo(person.email)).map(({ kind }) => kind)).toContain('password-changed');
});

test('ten wrong present passwords in a quarter of an hour, then no more guessing', async () => {
  const person = await aPerson();
  const guess = () => change(person, 'a session', { current: 'not this one', password: newPassword });
  for (let count = 0; count < 10; count += 1)
    await expect(guess()).rejects.toMatchObject({ code: 'auth.password-wrong' });
  await expect(guess()).rejects.toMatchObject({ code: 'platform.rate-limited' });
});

test('a link that went out by mail verifies the address; one that somebody handed over does not', async () => {
  const [handed, mailed] = [await aPerson(), await aPerson()];
  const isProven = async ({ id }: Person) => (await users.findById(tests.of(id)))?.isProven;
  const token = await tokenFor(handed);
  await bench.sender().sendDue();
  await reset(token);
  expect(await isProven(handed)).toBe(false);
  const sent = await tokenFor(mailed);
  const [mail] = await mailsTo(mailed.email);
  await mongo.connection.collection<{ _id: string }>('mails').updateOne({ _id: mail!.id }, { $set: { state: 'sent' } });
  await reset(sent);
  expect(await isProven(mailed)).toBe(true);
});

test("a link that the operator's command printed verifies no address", async () => {
  const person = await aPerson();
  const scope = tests.of(person.id);
  const printed = { mailId: null, endsAt: links.endOfNew() };
  const token = await work.run(job('tests'), (tx) => links.make(tx, scope, printed));
  await reset(token);
  expect((await users.findById(scope))?.isProven).toBe(false);
});
