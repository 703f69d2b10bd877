import { expect, test } from '@jest/globals';
import { FolderMailer, parseSender, SmtpMailer } from './index.ts';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { aMail, describeMailer } from '@parley/testing';
import { SmtpTestServer } from '@parley/testing/servers';

const from = { name: 'Parley', address: 'no-reply@parley.example' };

async function filesIn(folder: string): Promise<string[]> {
  const names = await readdir(folder);
  return Promise.all(names.map((name) => readFile(join(folder, name), 'utf8')));
}

describeMailer('folder', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'parley-mail-'));
  return {
    mailer: await FolderMailer.open(folder, from),
    delivers: false,
    arrived: () => filesIn(folder),
    dispose: () => rm(folder, { recursive: true }),
  };
});

describeMailer('smtp', async () => {
  const server = await SmtpTestServer.start({ noTls: true });
  return {
    mailer: new SmtpMailer({ url: `smtp://127.0.0.1:${server.port}?tls=none`, from }),
    delivers: true,
    arrived: async () => server.mails.map(({ raw }) => raw),
    dispose: () => server.stop(),
  };
});

test('an email that is sent twice is one file in the folder', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'parley-mail-'));
  const mailer = await FolderMailer.open(folder, from);
  await mailer.send(aMail());
  await mailer.send(aMail({ text: 'once more' }));
  expect(await readdir(folder)).toEqual([`${aMail().id}.eml`]);
  expect((await filesIn(folder))[0]).toContain('once more');
  await rm(folder, { recursive: true });
});

test.each([
  ['Parley <a@b.example>', { name: 'Parley', address: 'a@b.example' }],
  ['a@b.example', { name: '', address: 'a@b.example' }],
  ['<a@b.example>', { name: '', address: 'a@b.example' }],
  ['Parley', null],
  ['a@b.example, c@d.example', null],
  ['Parley\r\nBcc: x <a@b.example>', null],
])('parses the sender of emails: %j', (given, expected) => {
  expect(parseSender(given)).toEqual(expected);
});
