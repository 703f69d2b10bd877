import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { mailEnded } from '@parley/contracts';
import { newId } from '@parley/platform/ids';
import { SmtpMailer } from '@parley/platform/mailer';
import { aPerson, oneAttempt } from '@parley/testing';
import { SmtpTestServer } from '@parley/testing/servers';
import { MailBench } from '../mail-bench.spec-setup.ts';
import { mailsToJobs, sendAccountMail } from './mail-jobs.ts';

const from = { name: 'Parley', address: 'no-reply@parley.example' };
let server = await SmtpTestServer.start({ noTls: true });
const { port } = server;
const bench = await MailBench.open(
  new SmtpMailer({ url: `smtp://127.0.0.1:${port}?tls=none`, from, timeoutMs: 1_000 }),
);
const { clock } = bench.store;
beforeAll(() => bench.store.ready());
beforeEach(() => {
  server.mails.length = 0;
});
afterEach(async () => {
  // Nothing of one test is due in the next.
  clock.advance(25 * 3_600_000);
  await bench.sender().sendDue();
});
afterAll(() => server.stop());

test('a mail goes out, and what it was made of is gone', async () => {
  const { _id } = await bench.queueReset('ines@lindmoor.example');
  expect((await bench.row(_id)).sealed).not.toContain('the-secret-token');
  await bench.sender().sendDue();
  expect(server.mails).toHaveLength(1);
  expect(server.mails[0]?.raw).toContain('https://parley.example/en/reset-password#the-secret-token');
  expect(await bench.row(_id)).toMatchObject({ state: 'sent', sealed: null, linkEndsAt: null, attempts: 1 });
});

test('one event has one mail, however often it is asked for and by how many processes it is sent', async () => {
  const eventId = newId('event');
  const rows = [await bench.queueReset('ines@lindmoor.example', eventId)];
  rows.push(await bench.queueReset('ines@lindmoor.example', eventId));
  expect(rows[1]!._id).toBe(rows[0]!._id);
  await Promise.all([1, 2, 3, 4].map(() => bench.sender().sendDue()));
  rows.push(await bench.queueReset('ines@lindmoor.example', eventId));
  await bench.sender().sendDue();
  expect(server.mails).toHaveLength(1);
});

test('a mail that is out is not sent when its job runs once more', async () => {
  const { _id } = await bench.queueReset('ines@lindmoor.example');
  const { sender, sendDue } = bench.sender();
  await sendDue();
  await sender.run({ mailId: _id, orgId: null, person: '' });
  expect(server.mails).toHaveLength(1);
  expect((await bench.row(_id)).attempts).toBe(1);
});

test('mails that an earlier version left waiting are sent once, also where the migration is interrupted', async () => {
  const reset = await bench.queueReset('ines@lindmoor.example');
  await bench.queueInvitation('omar@lindmoor.example', newId('organisation'), newId('user'));
  await bench.queueInvitation('later@lindmoor.example', newId('organisation'));
  const mails = bench.store.mongo.connection.collection('mails');
  await mails.updateMany({ state: 'waiting' }, { $set: { dueAt: clock.now(), isTaken: true } });
  await bench.store.mongo.connection.collection('jobs').deleteMany({});
  for (const migration of [...mailsToJobs, ...mailsToJobs])
    for (let cursor = await migration.batch(bench.store.mongo, null); cursor !== null;)
      cursor = await migration.batch(bench.store.mongo, cursor);
  await bench.sender().sendDue();
  const to = ['ines@lindmoor.example', 'later@lindmoor.example', 'omar@lindmoor.example'];
  expect(server.mails.flatMap((mail) => mail.to).toSorted()).toEqual(to);
  expect((await bench.row(reset._id)).state).toBe('sent');
});

test('a mail that nothing could be made of is given up, and says so', async () => {
  const { _id } = await bench.queueReset('ines@lindmoor.example');
  await bench.store.mongo.connection.collection<{ _id: string }>('mails').updateOne({ _id }, { $set: { sealed: 'x' } });
  const { sender, sendDue } = bench.sender();
  await expect(oneAttempt(bench.store, { job: sendAccountMail, key: _id, runner: sender })).rejects.toThrow();
  for (let attempt = 1; attempt < sendAccountMail.attempts; attempt += 1) {
    await sendDue();
    clock.advance(60_000);
  }
  expect(await bench.row(_id)).toMatchObject({ state: 'failed', failure: 'It could not be sent.' });
});

test('a 4xx is tried again after a while, and not before', async () => {
  const { _id } = await bench.queueReset('later-2@lindmoor.example');
  await bench.sender().sendDue();
  expect(await bench.row(_id)).toMatchObject({ state: 'waiting', attempts: 1 });
  expect((await bench.row(_id)).failure).toContain('Come again later');
  await bench.sender().sendDue();
  expect((await bench.row(_id)).attempts).toBe(1);
  clock.advance(10_000);
  await bench.sender().sendDue();
  clock.advance(10_000);
  await bench.sender().sendDue();
  expect((await bench.row(_id)).attempts).toBe(2);
  clock.advance(20_000);
  await bench.sender().sendDue();
  expect(await bench.row(_id)).toMatchObject({ state: 'sent', attempts: 3, failure: null, failingSince: null });
  expect(server.mails).toHaveLength(1);
});

test('a refused recipient is given up at once, and the link can still be handed over until it ends', async () => {
  const { _id } = await bench.queueReset('refused@lindmoor.example');
  await bench.sender().sendDue();
  expect(await bench.row(_id)).toMatchObject({ state: 'failed', attempts: 1 });
  expect((await bench.showLink(_id)).link).toBe('https://parley.example/en/reset-password#the-secret-token');
  clock.advance(30 * 60_000);
  await bench.sender().sendDue();
  expect(await bench.row(_id)).toMatchObject({ sealed: null, linkEndsAt: null });
  await expect(bench.showLink(_id)).rejects.toMatchObject({ code: 'auth.link-ended' });
});

test('a server that hangs holds up one try, and the next mail goes out beside it', async () => {
  const hanging = await bench.queueReset('hang@lindmoor.example');
  await bench.queueReset('ines@lindmoor.example');
  await bench.sender().sendDue();
  expect(server.mails.map(({ to }) => to)).toEqual([['ines@lindmoor.example']]);
  expect(await bench.row(hanging._id)).toMatchObject({ state: 'waiting', attempts: 1 });
});

test('how a mail ended is told once, and what it was about', async () => {
  const eventId = newId('event');
  const invitation = { orgId: newId('organisation'), invitationId: newId('invitation'), round: 2 };
  const endsAt = new Date(clock.now().getTime() + 3_600_000).toISOString();
  const body = { eventId, invitation, to: 'refused@lindmoor.example', locale: 'en', endsAt };
  const { mailId } = await bench.invitations.queue({
    principal: aPerson(),
    body: { ...body, organisation: 'Lindmoor', inviter: 'Ines' },
  } as never);
  await Promise.all([bench.sender().sendDue(), bench.sender().sendDue()]);
  const told = (await bench.store.recorded()).filter(({ type }) => type === mailEnded.type);
  expect(told.filter(({ subject }) => subject === mailId).map(({ data }) => data)).toEqual([
    { mailId, kind: 'invitation', state: 'failed', invitation },
  ]);
});

test('an outage is told since it began, and is over with it', async () => {
  await server.stop();
  const { _id } = await bench.queueReset('ines@lindmoor.example');
  const began = clock.now().toISOString();
  await bench.sender().sendDue();
  clock.advance(10_000);
  await bench.sender().sendDue();
  expect((await bench.list()).delivery).toMatchObject({ delivers: true, waiting: 1, failingSince: began });
  expect((await bench.list()).delivery.failure).toContain('ECONNREFUSED');
  server = await SmtpTestServer.start({ noTls: true, port });
  clock.advance(30_000);
  await bench.sender().sendDue();
  expect((await bench.row(_id)).state).toBe('sent');
  expect((await bench.list()).delivery).toMatchObject({ waiting: 0, failingSince: null, failure: null });
});

test('a mail whose link has ended meanwhile is not sent any more', async () => {
  const { _id } = await bench.queueReset('ines@lindmoor.example');
  clock.advance(31 * 60_000);
  await bench.sender().sendDue();
  expect(server.mails).toEqual([]);
  expect(await bench.row(_id)).toMatchObject({ state: 'failed', sealed: null });
});

test('a link that was withdrawn is not sent any more', async () => {
  const { _id } = await bench.queueReset('ines@lindmoor.example');
  await bench.store.work.run({ kind: 'job', name: 'tests', onBehalfOf: null }, (tx) =>
    bench.service.withdraw(tx, [_id]),
  );
  await bench.sender().sendDue();
  expect(server.mails).toEqual([]);
  expect((await bench.row(_id)).state).toBe('failed');
});

test('a process that dies after the mail was taken has it sent once more, by its name and after the lease only', async () => {
  const { _id } = await bench.queueReset('ines@lindmoor.example');
  await bench.sender(() => Promise.reject(new Error('killed'))).sendDue();
  await bench.sender().sendDue();
  expect(server.mails).toHaveLength(1);
  clock.advance(60_000);
  await bench.sender().sendDue();
  const names = server.mails.map(({ raw }) => /^Message-ID: (.*)$/im.exec(raw)?.[1]?.trim());
  expect(names).toEqual([`<${_id}@parley.example>`, `<${_id}@parley.example>`]);
  expect((await bench.row(_id)).state).toBe('sent');
});
