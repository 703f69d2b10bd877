import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { eventually } from '@parley/testing';
import { ParleyClient } from '@parley/testing/client';
import { SmtpTestServer } from '@parley/testing/servers';
import { newPerson, password, startTestParley, type TestParley } from '@parley/embedded/test-parley';

const newPassword = 'four loud bitterns';
let smtp: SmtpTestServer;
let running: TestParley;
let admin: ParleyClient;

beforeAll(async () => {
  smtp = await SmtpTestServer.start({ noTls: true, login: 'parley:secret' });
  running = await startTestParley({
    PARLEY_SMTP_URL: `smtp://parley:secret@127.0.0.1:${smtp.port}?tls=none`,
    PARLEY_MAIL_FROM: 'Parley <no-reply@parley.example>',
  });
  const setupToken = new URL(running.parley.setupUrl ?? '').searchParams.get('setup') ?? '';
  admin = await newPerson(running.url, { organisation: 'Lindmoor Energy', setupToken });
}, 60_000);
afterAll(async () => {
  await running.close();
  await smtp.stop();
});

const bodyOf = (raw: string): string => raw.replaceAll(/=\r?\n/g, '').replaceAll('=3D', '=');

test('a forgotten password: the link comes by mail, leads to the own address, and ends other devices', async () => {
  const email = admin.me?.email ?? '';
  const phone = new ParleyClient(running.url);
  await phone.signIn(email, password);
  phone.orgId = admin.orgId;
  const visitor = new ParleyClient(running.url);
  const asked = await visitor.raw('POST', '/api/auth/password-resets', {
    body: JSON.stringify({ email, locale: 'en' }),
    contentType: 'application/json',
    headers: { 'x-forwarded-host': 'evil.example' },
  });
  expect(asked.status).toBe(202);
  const mail = await eventually(async () => {
    const found = smtp.mails.map(({ raw }) => bodyOf(raw)).find((body) => body.includes('/reset-password#'));
    if (found === undefined) throw new Error('not yet');
    return found;
  }, 'the mail should arrive');
  expect(mail).not.toContain('evil.example');
  const [, site, token = ''] = /(http\S*)\/en\/reset-password#([\w-]{43})/.exec(mail) ?? [];
  expect(site).toBe(running.url);

  const { items, delivery } = await admin.call('GET /api/auth/mails');
  expect(delivery).toMatchObject({ delivers: true, failingSince: null });
  const listed = items.find(({ to, kind }) => to === email && kind === 'password-reset');
  const mailId = listed!.id;
  await eventually(async () => {
    const again = await admin.call('GET /api/auth/mails');
    expect(again.items.find(({ id }) => id === mailId)).toMatchObject({ state: 'sent', linkEndsAt: null });
  }, 'the mail should be listed as sent');
  await expect(
    admin.call('POST /api/auth/mails/:mailId/link', { params: { mailId }, body: { reason: 'just looking' } }),
  ).rejects.toMatchObject({ status: 410 });

  const socket = phone.socket();
  const isCut = new Promise((resolve) => {
    socket.once('connect', () => socket.once('disconnect', resolve));
  });
  await eventually(async () => expect(socket.connected).toBe(true), 'the phone should be live');
  const { endedSessions } = await visitor.call('POST /api/auth/password-resets/redeem', {
    body: { token, password: newPassword },
  });
  expect(endedSessions).toBe(2);
  await isCut;
  socket.close();
  await expect(phone.call('GET /api/auth/me')).rejects.toMatchObject({ status: 401 });
  expect((await visitor.call('GET /api/auth/me')).email).toBe(email);
  await expect(phone.signIn(email, password)).rejects.toMatchObject({ status: 401 });
  await phone.signIn(email, newPassword);
  await eventually(async () => {
    const notices = smtp.mails.filter(
      ({ to, raw }) => to.includes(email) && raw.includes('password for Parley was changed'),
    );
    expect(notices).toHaveLength(1);
  }, 'a notice should arrive');
}, 120_000);

test('changing it by the old one ends the other device, too', async () => {
  const person = await newPerson(running.url);
  const email = person.me?.email ?? '';
  const phone = new ParleyClient(running.url);
  await phone.signIn(email, password);
  const body = { current: password, password: newPassword };
  expect(await person.call('POST /api/auth/password', { body })).toEqual({ endedSessions: 1 });
  await expect(phone.call('GET /api/auth/me')).rejects.toMatchObject({ status: 401 });
  expect((await person.call('GET /api/auth/me')).email).toBe(email);
  await expect(person.call('POST /api/auth/password', { body })).rejects.toMatchObject({
    status: 422,
    problem: { code: 'auth.password-wrong' },
  });
});

test('known and unknown addresses are answered alike, header for header', async () => {
  const known = (await newPerson(running.url)).me?.email ?? '';
  const answers = [];
  for (const email of [known, 'nobody@lindmoor.example']) {
    const visitor = new ParleyClient(running.url);
    const answer = await visitor.raw('POST', '/api/auth/password-resets', {
      body: JSON.stringify({ email, locale: 'en' }),
      contentType: 'application/json',
    });
    const headers = [...answer.headers.keys()].toSorted();
    const { endsAt, ...rest } = (await answer.json()) as { endsAt: string };
    answers.push({ status: answer.status, headers, rest, isDate: !Number.isNaN(Date.parse(endsAt)) });
  }
  expect(answers[1]).toEqual(answers[0]);
});
