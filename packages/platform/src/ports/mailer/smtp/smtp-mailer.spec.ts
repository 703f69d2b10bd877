import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { MailRefused, SmtpMailer } from '../index.ts';
import tls from 'node:tls';
import { aMail } from '@parley/testing';
import { selfSigned, type SmtpServerOptions, SmtpTestServer } from '@parley/testing/servers';

const from = { name: 'Parley', address: 'no-reply@parley.example' };
const own = selfSigned();
const trusted = tls.getCACertificates('default');
const servers: SmtpTestServer[] = [];
const start = async (options: SmtpServerOptions): Promise<SmtpTestServer> => {
  const server = await SmtpTestServer.start(options);
  servers.push(server);
  return server;
};
const mailerAt = (url: string, timeoutMs = 10_000): SmtpMailer => new SmtpMailer({ url, from, timeoutMs });

beforeAll(() => tls.setDefaultCACertificates([...trusted, own.cert]));
afterAll(() => tls.setDefaultCACertificates(trusted));
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.stop()));
});

test('sends an email encrypted by STARTTLS, after signing in', async () => {
  const server = await start({ ...own, login: 'parley:p@ss word' });
  await mailerAt(`smtp://parley:p%40ss%20word@localhost:${server.port}`).send(aMail());
  expect(server.mails).toMatchObject([{ isEncrypted: true, user: 'parley', to: ['ines@lindmoor.example'] }]);
});

test('sends an email over TLS from the first byte', async () => {
  const server = await start({ ...own, secure: true });
  await mailerAt(`smtps://localhost:${server.port}`).send(aMail());
  expect(server.mails).toMatchObject([{ isEncrypted: true, from: from.address }]);
});

test('sends neither the password nor the email without STARTTLS', async () => {
  const server = await start({ ...own, noTls: true, login: 'parley:secret' });
  await expect(mailerAt(`smtp://parley:secret@localhost:${server.port}`).send(aMail())).rejects.toMatchObject({
    code: 'ETLS',
  });
  expect(server.mails).toEqual([]);
});

test('refuses an untrusted certificate', async () => {
  const server = await start({ ...selfSigned(), secure: true });
  await expect(mailerAt(`smtps://localhost:${server.port}`).send(aMail())).rejects.not.toBeInstanceOf(MailRefused);
  expect(server.mails).toEqual([]);
});

test('doesn’t refuse an email for good after a wrong login, which can be corrected', async () => {
  const server = await start({ ...own, login: 'parley:secret' });
  const sent = mailerAt(`smtp://parley:guessed@localhost:${server.port}`).send(aMail());
  await expect(sent).rejects.toMatchObject({ responseCode: 535 });
  await expect(sent).rejects.not.toBeInstanceOf(MailRefused);
});

test('doesn’t refuse an email for good after a 4xx response, because the next attempt can succeed', async () => {
  const server = await start({ noTls: true });
  const mailer = mailerAt(`smtp://127.0.0.1:${server.port}?tls=none`);
  const mail = aMail({ to: 'later-1@lindmoor.example' });
  await expect(mailer.send(mail)).rejects.toMatchObject({ responseCode: 451 });
  await mailer.send(mail);
  expect(server.mails).toHaveLength(1);
});

test.each(['refused@lindmoor.example', 'refused-text@lindmoor.example'])(
  'refuses an email for good if the server refuses %s',
  async (to) => {
    const server = await start({ noTls: true });
    const sent = mailerAt(`smtp://127.0.0.1:${server.port}?tls=none`).send(aMail({ to }));
    await expect(sent).rejects.toBeInstanceOf(MailRefused);
  },
);

test('leaves a server that hangs when the time for the email is over', async () => {
  const server = await start({ noTls: true });
  const sent = mailerAt(`smtp://127.0.0.1:${server.port}?tls=none`, 500).send(aMail({ to: 'hang@lindmoor.example' }));
  await expect(sent).rejects.not.toBeInstanceOf(MailRefused);
});

test('doesn’t refuse an email for good if the server is unavailable', async () => {
  const server = await start({ noTls: true });
  await server.stop();
  const sent = mailerAt(`smtp://127.0.0.1:${server.port}?tls=none`).send(aMail());
  await expect(sent).rejects.toMatchObject({ code: 'ESOCKET' });
});
