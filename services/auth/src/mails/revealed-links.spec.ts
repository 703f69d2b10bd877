import { beforeAll, expect, test } from '@jest/globals';
import type { MailId } from '@parley/contracts';
import { NoMailer } from '@parley/platform/mailer';
import { newId } from '@parley/platform/ids';
import { DataMigrations } from '@parley/platform/schema';
import { job } from '@parley/platform/work';
import type { UserId } from '@parley/protocol';
import { MailBench, tests } from '../mail-bench.spec-setup.ts';
import { userRows } from '../users/index.ts';
import { mailRows } from './mail.collection.ts';
import { nameInvitations, unverifyRevealed } from './revealed-links.ts';

const bench = await MailBench.open(new NoMailer());
const { mongo, work, clock, ready } = bench.store;
beforeAll(ready);
const dayMs = 24 * 3_600_000;
const now = clock.now().getTime();

/** Verified so many days ago, or not at all. */
async function person(verifiedDaysAgo: number | null): Promise<{ id: UserId; email: string }> {
  const id = newId('user');
  const user = { id, email: `${id.toLowerCase()}@example.com`, name: 'U', locale: 'en', timeZone: null } as const;
  const provenAt = verifiedDaysAgo === null ? null : new Date(now - verifiedDaysAgo * dayMs);
  await work.run(job('tests'), async (tx) => {
    await bench.users.create(
      tests.of(id),
      { ...user, isProven: false, platformRole: null, version: 1, passwordHash: 'hash' },
      tx,
    );
    await mongo.rows(userRows).within(tests, tx).update({ _id: id }, { $set: { provenAt } });
  });
  return user;
}
/** The mail that tells the person that a link of theirs was shown. */
async function shown(to: string, daysAgo: number): Promise<MailId> {
  const content = { kind: 'link-shown', by: 'Runa', reason: 'No mail server' } as const;
  const { _id } = await work.run(job('tests'), (tx) =>
    bench.service.queue(tx, { eventId: newId('event'), to, locale: 'en', content }),
  );
  const createdAt = new Date(now - daysAgo * dayMs);
  await mongo.rows(mailRows).within(tests).update({ _id }, { $set: { createdAt } });
  return _id;
}
/** The same mail to so many others, without the work of queueing each. */
async function copied(id: MailId, times: number): Promise<void> {
  const rows = mongo.rows(mailRows).within(tests);
  const mail = (await rows.findById(id))!;
  const copies = Array.from({ length: times }, (_, at) => ({
    ...mail,
    _id: newId('mail'),
    to: `nobody${at}@example.com`,
  }));
  for (let at = 0; at < times; at += 500) await rows.insertMany(copies.slice(at, at + 500));
}
const isProven = async ({ id }: { id: UserId }) => (await bench.users.findById(tests.of(id)))?.isProven;

test('who was verified after a link of theirs was shown is not any more; everybody else stays', async () => {
  const [revealed, before, never, unverified] = [await person(2), await person(9), await person(2), await person(null)];
  await shown(revealed.email, 2);
  await shown(before.email, 2);
  await shown(unverified.email, 2);
  // More than one batch, and each of them twice.
  await copied(await shown('nobody@example.com', 1), 1_100);
  await shown(revealed.email, 1);
  let cursor: string | null = null;
  let batches = 0;
  do {
    await unverifyRevealed.batch(mongo, cursor);
    cursor = await unverifyRevealed.batch(mongo, cursor);
    batches += 1;
  } while (cursor !== null);
  expect(batches).toBe(3);
  const all = [revealed, before, never, unverified];
  expect(await Promise.all(all.map(isProven))).toEqual([false, true, true, false]);
  // Once it is done, who verifies again stays verified.
  await new DataMigrations(mongo, [unverifyRevealed]).run();
  await work.run(job('tests'), (tx) => bench.users.prove(tests.of(revealed.id), tx));
  await new DataMigrations(mongo, [unverifyRevealed]).run();
  expect(await isProven(revealed)).toBe(true);
}, 240_000);

test('mails of an earlier version are found by their invitation afterwards, and their links go with it', async () => {
  await bench.queueInvitation('old@lindmoor.example', newId('organisation'));
  const old = (await bench.list({ limit: 1 })).items[0]!;
  await mongo
    .rows(mailRows)
    .within(tests)
    .update({ _id: old.id }, { $unset: { invitationId: 1 } } as never);
  await new DataMigrations(mongo, [nameInvitations]).run();
  const { invitationId } = await bench.row(old.id);
  await work.run(job('tests'), (tx) => bench.invitations.withdraw(tx, invitationId!));
  expect(await bench.row(old.id)).toMatchObject({ sealed: null, linkEndsAt: null });
});
