import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { mailRevealed } from '@parley/contracts';
import { hashSecret } from '@parley/platform/crypto';
import { newId } from '@parley/platform/ids';
import { NoMailer } from '@parley/platform/mailer';
import { job } from '@parley/platform/work';
import type { EventEnvelope } from '@parley/protocol';
import { MailBench, MailFolder, admin, tests } from '../mail-bench.spec-setup.ts';
import { MailsConsumer } from './mails.consumer.ts';

const folder = await MailFolder.open();
const bench = await MailBench.open(folder.mailer);
const { clock, work } = bench.store;
beforeAll(async () => {
  await bench.store.ready();
  const person = {
    email: 'runa@parley.example',
    name: 'Runa Fjelder',
    locale: 'ar',
    isProven: false,
    timeZone: null,
    platformRole: 'admin',
  } as const;
  await work.run(job('tests'), (tx) =>
    bench.users.create(tests.of(admin.userId), { id: admin.userId, ...person, version: 1, passwordHash: 'x' }, tx),
  );
});
afterAll(() => folder.remove());

const invite = (body: object) =>
  bench.invitations.queue({
    principal: { kind: 'service', service: 'org' },
    body: {
      eventId: newId('event'),
      locale: 'en',
      organisation: 'Lindmoor Energy',
      inviter: 'Ines Vardale',
      invitation: { orgId: newId('organisation'), invitationId: newId('invitation'), round: 1 },
      endsAt: new Date(clock.now().getTime() + 7 * 24 * 3_600_000).toISOString(),
      ...body,
    },
  } as never);

test('without a mail server the mail is kept, and its link is shown for a reason that the person is told', async () => {
  const { _id } = await bench.queueReset('ines@lindmoor.example');
  await bench.sender().sendDue();
  expect((await folder.texts()).join()).toContain('the-secret-token');
  const { items, delivery } = await bench.list();
  expect(delivery).toEqual({ delivers: false, waiting: 0, failingSince: null, failure: null });
  expect(items[0]).toMatchObject({ id: _id, to: 'ines@lindmoor.example', kind: 'password-reset', state: 'kept' });
  expect(items[0]!.linkEndsAt).not.toBeNull();
  expect(JSON.stringify(items)).not.toContain('secret');

  const shown = await bench.showLink(_id, 'Ines has called me');
  expect(shown.link).toBe('https://parley.example/en/reset-password#the-secret-token');
  const event = (await bench.store.recorded()).find(({ type }) => type === mailRevealed.type) as EventEnvelope<never>;
  expect(event).toMatchObject({ actor: `person:${admin.userId}`, data: { mailId: _id, reason: 'Ines has called me' } });
  expect(JSON.stringify(event)).not.toContain('secret');

  const consumer = new MailsConsumer(bench.service, bench.users);
  await work.run(job('tests'), (tx) => consumer.tellOfShownLink(event, { tx } as never));
  await bench.sender().sendDue();
  const told = (await folder.texts()).find((text) => text.includes('shown to an administrator')) ?? '';
  expect(told).toContain('To: ines@lindmoor.example');
  expect(told).toContain('Runa Fjelder');
  expect(told).toContain('Ines has called me');
});

test('whose name was asked for is told in their language by whom, why and until when, once', async () => {
  const consumer = new MailsConsumer(bench.service, bench.users);
  const data = {
    userId: admin.userId,
    by: admin.userId,
    organisation: 'Lindmoor Energy',
    reason: 'Spend doubled since Monday',
    until: '2026-11-22T10:42:00.000Z',
  };
  const event = { id: newId('event'), data } as never;
  for (const _ of [1, 2]) await work.run(job('tests'), (tx) => consumer.tellOfRevealedName(event, { tx } as never));
  await bench.sender().sendDue();
  // Lines that quoted-printable has broken are whole again.
  const texts = (await folder.texts()).map((text) => text.replaceAll(/=\r?\n/g, ''));
  const mails = texts.filter((text) => text.includes('Lindmoor Energy'));
  expect(mails).toHaveLength(1);
  expect(mails[0]).toContain('To: runa@parley.example');
  for (const part of ['Runa Fjelder', 'Spend doubled since Monday', '2026']) expect(mails[0]).toContain(part);
  const gone = { id: newId('event'), data: { ...data, userId: newId('user') } } as never;
  await work.run(job('tests'), (tx) => consumer.tellOfRevealedName(gone, { tx } as never));
});

test('a link that has ended is not shown, nor one that is none', async () => {
  const { _id } = await bench.queueReset('ines@lindmoor.example');
  clock.advance(30 * 60_000);
  await expect(bench.showLink(_id)).rejects.toMatchObject({ code: 'auth.link-ended' });
  await expect(bench.showLink(newId('mail'))).rejects.toMatchObject({ code: 'platform.not-found' });
});

test('whoever has an invitation mailed gets the hash of its token, the same one each time, and never the token', async () => {
  const eventId = newId('event');
  const [one, again] = [
    await invite({ eventId, to: 'new@lindmoor.example' }),
    await invite({ eventId, to: 'other@x.example' }),
  ];
  expect(again).toEqual(one);
  await bench.sender().sendDue();
  const mails = (await folder.texts()).filter((text) => text.includes('new@lindmoor.example'));
  expect(mails).toHaveLength(1);
  const token = /invitation#([\w-]{43})/.exec(mails[0]!.replaceAll(/=\r?\n/g, ''))?.[1] ?? '';
  expect(hashSecret(token)).toBe(one.tokenHash);
});

test('who has an account is written to in the own language', async () => {
  const { mailId } = await invite({ to: 'runa@parley.example' });
  expect((await bench.row(mailId)).locale).toBe('ar');
  await bench.sender().sendDue();
  expect((await folder.texts()).join()).toContain('Content-Language: ar');
});

test('the list is newest first and by state', async () => {
  const { items } = await bench.list({ state: 'kept', limit: 2 });
  expect(items).toHaveLength(2);
  expect(items[0]!.createdAt >= items[1]!.createdAt).toBe(true);
  expect((await bench.list({ state: 'sent' })).items).toEqual([]);
});

test('no mail server and no folder: mails are kept all the same', async () => {
  const none = new MailBench(bench.store, new NoMailer());
  const { _id } = await none.queueReset('ines@lindmoor.example');
  await none.sender().sendDue();
  expect((await none.row(_id)).state).toBe('kept');
  expect((await none.showLink(_id)).link).toContain('#the-secret-token');
});
