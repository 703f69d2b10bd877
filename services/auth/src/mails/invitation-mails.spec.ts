import { beforeAll, beforeEach, expect, test } from '@jest/globals';
import type { InvitationId } from '@parley/contracts';
import { hashSecret } from '@parley/platform/crypto';
import { newId } from '@parley/platform/ids';
import { Mailer, NoMailer } from '@parley/platform/mailer';
import { job } from '@parley/platform/work';
import { aPerson, countCommands } from '@parley/testing';
import { MailBench } from '../mail-bench.spec-setup.ts';
import { InvitationMailsConsumer } from './invitation-mails.consumer.ts';

class Delivering extends Mailer {
  readonly delivers = true;
  async send(): Promise<void> {}
  async close(): Promise<void> {}
}
const bench = await MailBench.open(new NoMailer());
const { work, clock } = bench.store;
beforeAll(bench.store.ready);
// The list is newest first.
beforeEach(() => clock.advance(1_000));
const consumer = new InvitationMailsConsumer(bench.invitations);

type Person = { eventId: string; invitationId: InvitationId; round: number; to: string };
const invited = (to: string, more: Partial<Person> = {}): Person => ({
  eventId: newId('event'),
  invitationId: newId('invitation'),
  round: 1,
  to,
  ...more,
});
const about = () => ({
  orgId: newId('organisation'),
  organisation: 'Lindmoor Energy',
  inviter: 'Ines Vardale',
  inviterId: newId('user'),
  locale: 'en',
  message: 'Welcome',
  endsAt: new Date(clock.now().getTime() + 7 * 24 * 3_600_000).toISOString(),
});
const links = async (people: Person[], of = bench) =>
  (await of.invitations.makeLinks({ principal: aPerson(), body: { ...about(), people } } as never)).links;
const tell = (invitationId: InvitationId, change: string, kind = 'mail') =>
  work.run(job('tests'), (tx) =>
    consumer.withdrawEnded({ data: { invitationId, change, kind } } as never, { tx } as never),
  );
const offered = async () =>
  (await bench.list()).items.filter(({ linkEndsAt }) => linkEndsAt !== null).map(({ to }) => to);

test('keeps the mails and returns their secrets, the same ones however often it is asked', async () => {
  const people = [invited('one@lindmoor.example'), invited('two@lindmoor.example')];
  const made = await links(people);
  expect(made.map(({ invitationId }) => invitationId)).toEqual(people.map(({ invitationId }) => invitationId));
  expect(made.every(({ token, tokenHash }) => hashSecret(token) === tokenHash)).toBe(true);
  expect(await links(people)).toEqual(made);
  // Org's own handler of the event, which asks by the same event.
  const { invitationId, round, eventId, to } = people[0]!;
  const { orgId, ...rest } = about();
  const asked = { ...rest, eventId, to, invitation: { orgId, invitationId, round } };
  const { tokenHash } = await bench.invitations.queue({ principal: aPerson(), body: asked } as never);
  expect(tokenHash).toBe(made[0]!.tokenHash);
});

test('returns nothing where mails go out, and queues nothing', async () => {
  const sending = new MailBench(bench.store, new Delivering());
  expect(await links([invited('sent@lindmoor.example')], sending)).toEqual([]);
  expect(await offered()).not.toContain('sent@lindmoor.example');
});

test('asks the store a few times for a hundred', async () => {
  const people = Array.from({ length: 100 }, (_unused, at) => invited(`many${at}@lindmoor.example`));
  const commands = await countCommands(async () => {
    await links(people);
  });
  expect(commands).toBeLessThan(12);
});

test('the mail log offers no link that was used, has ended or was replaced', async () => {
  for (const change of ['accepted', 'declined', 'revoked', 'expired', 'opened'] as const) {
    const person = invited(`${change}@lindmoor.example`);
    await links([person]);
    await tell(person.invitationId, change, 'link');
    expect(await offered()).toContain(person.to);
    await tell(person.invitationId, change);
    expect((await offered()).includes(person.to)).toBe(change === 'opened');
  }
  const first = invited('again@lindmoor.example');
  await links([first]);
  await links([{ ...first, eventId: newId('event'), round: 2 }]);
  expect((await offered()).filter((to) => to === first.to)).toHaveLength(1);
});

test('one that was used before its end was heard of is not shown, and goes', async () => {
  const person = invited('used@lindmoor.example');
  const [made] = await links([person]);
  const mailId = (await bench.list()).items.find(({ to }) => to === person.to)!.id;
  expect((await bench.showLink(mailId)).link).toContain(made!.token);
  bench.used.add(made!.token);
  await expect(bench.showLink(mailId)).rejects.toMatchObject({ code: 'auth.link-ended' });
  expect(await offered()).not.toContain(person.to);
});
