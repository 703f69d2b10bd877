import { afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { newId } from '@parley/platform/ids';
import { Mailer } from '@parley/platform/mailer';
import type { OrgId } from '@parley/protocol';
import { eventually } from '@parley/testing';
import { MailBench } from '../mail-bench.spec-setup.ts';
import { sendMail } from './mail-jobs.ts';

/** Says to whom it has sent, in this order. */
class NotedMailer extends Mailer {
  readonly delivers = true;
  readonly sentTo: string[] = [];
  /** Until it resolves, nothing to such an address is out. */
  held: Promise<void> = Promise.resolve();

  async send({ to }: { readonly to: string }): Promise<void> {
    if (to.endsWith('@example.com')) await this.held;
    this.sentTo.push(to);
  }

  async close(): Promise<void> {}
}
const mailer = new NotedMailer();
const bench = await MailBench.open(mailer);
const { clock } = bench.store;
beforeAll(() => bench.store.ready());
beforeEach(() => {
  mailer.sentTo.length = 0;
});
afterEach(() => bench.sender().sendDue());

const at = (name: string, count: number): string[] =>
  Array.from({ length: count }, (_unused, number) => `${name}${number}@example.com`);
async function invite(orgId: OrgId, addresses: readonly string[], by = newId('user')): Promise<void> {
  for (const to of addresses) {
    await bench.queueInvitation(to, orgId, by);
    clock.advance(1);
  }
}
const positionOf = (to: string): number => mailer.sentTo.indexOf(to);

test('behind hundreds of invitations the mail of another organisation has the next turn, and a colleague has one', async () => {
  const [busy, other] = [newId('organisation'), newId('organisation')];
  await invite(busy, at('flood', 110));
  await invite(busy, at('colleague', 1));
  await invite(other, at('other', 1));
  await bench.sender().sendDue();
  expect(mailer.sentTo).toHaveLength(112);
  expect(positionOf('other0@example.com')).toBeLessThan(6);
  expect(positionOf('colleague0@example.com')).toBeLessThan(8);
}, 180_000);

test('one person has half of the sending, with however many organisations; two of a platform admin have all of it', async () => {
  const [first, second] = [newId('organisation'), newId('organisation')];
  const sendingAtOnce = async (...parts: Parameters<typeof bench.sender>): Promise<number> => {
    await invite(first, at('first', 6));
    await invite(second, at('second', 6));
    const { promise, resolve } = Promise.withResolvers<void>();
    mailer.held = promise;
    const { jobs, sendDue } = bench.sender(...parts);
    await jobs.look();
    const { running } = await bench.store.outbox.jobs.rows.countOf(sendMail.kind);
    resolve();
    await sendDue();
    return running;
  };
  expect(await sendingAtOnce(undefined, () => 'usr_both')).toBe(2);
  expect(await sendingAtOnce()).toBe(4);
  expect(mailer.sentTo).toHaveLength(24);
});

test('a mail about an account waits for none that organisations send', async () => {
  for (const name of ['one', 'two']) await invite(newId('organisation'), at(name, 51));
  const { promise, resolve } = Promise.withResolvers<void>();
  mailer.held = promise;
  const { jobs, sendDue } = bench.sender();
  await jobs.look();
  await bench.queueReset('ines@lindmoor.example');
  await jobs.look();
  await eventually(() => mailer.sentTo.length > 0, 'a mail is out');
  expect(mailer.sentTo).toEqual(['ines@lindmoor.example']);
  resolve();
  await sendDue();
});
