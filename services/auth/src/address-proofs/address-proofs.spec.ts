import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { addressProofRequested } from '@parley/contracts';
import { newId } from '@parley/platform/ids';
import type { Mailer } from '@parley/platform/mailer';
import { job } from '@parley/platform/work';
import type { UserId } from '@parley/protocol';
import { aPerson } from '@parley/testing';
import { MailBench, MailFolder, tests } from '../mail-bench.spec-setup.ts';
import { AddressProofsConsumer } from './address-proofs.consumer.ts';
import { AddressProofsService } from './address-proofs.service.ts';

const folder = await MailFolder.open();
/** Mails are written to the folder, as if a mail server took them. */
const mailer: Mailer = { delivers: true, send: (mail) => folder.mailer.send(mail), close: async () => {} };
const bench = await MailBench.open(mailer);
const { mongo, work, clock, recorded, ready } = bench.store;
const { users, service: mails } = bench;
const proofs = new AddressProofsService(mongo, users, mails, mailer, work, clock);
const consumer = new AddressProofsConsumer(proofs);
beforeAll(ready);
afterAll(() => folder.remove());

async function register(isProven = false): Promise<UserId> {
  const id = newId('user');
  const email = `${id.toLowerCase()}@example.com`;
  const user = { id, email, name: 'Noa', locale: 'de', timeZone: null, platformRole: null, version: 1 } as const;
  await work.run(job('tests'), (tx) => users.create(tests.of(id), { ...user, isProven, passwordHash: 'hash' }, tx));
  return id;
}
/** Has an event handled, as often as told. */
async function handle(userId: UserId, { id = newId('event'), times = 1 } = {}): Promise<void> {
  for (let time = 0; time < times; time += 1)
    await work.run(job('tests'), (tx) => consumer.proveNew({ id, data: { userId } } as never, { tx } as never));
}
/** Has all mails that wait sent. */
const send = () => bench.sender().sendDue();
/** The tokens that lie in mails to the person, newest first. */
async function tokens(userId: UserId): Promise<(string | null)[]> {
  const { items } = await bench.list();
  const own = items.filter(({ to }) => to === `${userId.toLowerCase()}@example.com`);
  return Promise.all(
    own.map(async ({ id }) => (await mails.linkOf(await bench.row(id)))?.split('/de/register#')[1] ?? null),
  );
}
const redeem = (userId: UserId, token: string) =>
  proofs.prove({ scope: tests.of(userId), principal: aPerson({ userId }), body: { token } } as never);
const isProven = async (userId: UserId) => (await users.findById(tests.of(userId)))?.isProven;
const linkEnded = { code: 'auth.link-ended' };

test('the token that was mailed proves the address, once and for all', async () => {
  const me = await register();
  await handle(me, { times: 2 });
  const [token, ...others] = await tokens(me);
  expect(others).toEqual([]);
  await send();
  expect(await isProven(me)).toBe(false);
  await redeem(me, token!);
  expect(await isProven(me)).toBe(true);
  // Nor does the mail log offer it any more.
  expect(await tokens(me)).toEqual([null]);
  await redeem(me, token!);
  await redeem(me, 'anything');
});

test("another account's token, a guessed one and one that has ended prove nothing", async () => {
  const [me, other] = [await register(), await register()];
  await handle(me);
  await handle(other);
  const [token] = await tokens(me);
  await send();
  await expect(redeem(other, token!)).rejects.toMatchObject(linkEnded);
  await expect(redeem(me, 'a'.repeat(43))).rejects.toMatchObject(linkEnded);
  clock.advance(8 * 24 * 3_600_000);
  await expect(redeem(me, token!)).rejects.toMatchObject(linkEnded);
  expect([await isProven(me), await isProven(other)]).toEqual([false, false]);
});

test('only the newest link works; within a minute there is no other', async () => {
  const me = await register();
  await handle(me);
  await handle(me);
  const [first, ...none] = await tokens(me);
  expect(none).toEqual([]);
  clock.advance(61_000);
  await handle(me);
  const [newest, withdrawn] = await tokens(me);
  expect(withdrawn).toBeNull();
  await send();
  await expect(redeem(me, first!)).rejects.toMatchObject(linkEnded);
  await redeem(me, newest!);
});

test('a link whose mail has not gone out proves nothing', async () => {
  const me = await register();
  await handle(me);
  const [token] = await tokens(me);
  await expect(redeem(me, token!)).rejects.toMatchObject(linkEnded);
  expect(await isProven(me)).toBe(false);
  await send();
  await redeem(me, token!);
  expect(await isProven(me)).toBe(true);
});

test('without a mail server there is no such link', async () => {
  const me = await register();
  const without = new AddressProofsConsumer(new AddressProofsService(mongo, users, mails, folder.mailer, work, clock));
  await work.run(job('tests'), (tx) =>
    without.proveNew({ id: newId('event'), data: { userId: me } } as never, { tx } as never),
  );
  expect(await tokens(me)).toEqual([]);
});

test('whose address a mailed invitation has proven gets no mail', async () => {
  const me = await register(true);
  await handle(me);
  expect(await tokens(me)).toEqual([]);
});

test('asking again asks by an event', async () => {
  const userId = await register();
  const asked = await proofs.request({ scope: tests.of(userId), principal: aPerson({ userId }) } as never);
  expect(asked).toEqual({ sendsMail: true });
  expect(await recorded()).toContainEqual(
    expect.objectContaining({ type: addressProofRequested.type, data: { userId } }),
  );
});
