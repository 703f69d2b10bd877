import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { eventually } from '@parley/testing';
import { ParleyClient } from '@parley/testing/client';
import { SmtpTestServer } from '@parley/testing/servers';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';

/** The one-process edition as a process of its own, killed between an event and its mail. */
const root = join(import.meta.dirname, '../..');
const fromSource = ['--conditions=parley-source', '--import', join(root, 'packages/tooling/src/register.mjs')];
const admin = { name: 'Ines', email: 'ines@lindmoor.example', password: 'three quiet herons' };
let smtp: SmtpTestServer;
let data: string;
const children: ChildProcess[] = [];
beforeAll(async () => {
  smtp = await SmtpTestServer.start({ noTls: true });
});
afterEach(async () => {
  for (const child of children.splice(0)) {
    if (child.exitCode !== null || child.signalCode !== null) continue;
    const gone = once(child, 'exit');
    child.kill('SIGTERM');
    await gone;
  }
  rmSync(data, { recursive: true, force: true });
});
afterAll(() => smtp.stop());

type Started = { readonly child: ChildProcess; readonly url: string; readonly setupToken: string };
async function start(settings: Record<string, string>): Promise<Started> {
  const args = [...fromSource, join(root, 'cli/src/cli.ts'), '--port', '0', '--data', data];
  const child = spawn(process.execPath, args, { env: { ...process.env, NODE_OPTIONS: '', ...settings }, cwd: data });
  children.push(child);
  const line = await new Promise<string>((resolve, reject) => {
    let out = '';
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk: Buffer) => {
        out += chunk.toString();
        if (out.includes('ready at')) resolve(out);
      });
    child.once('exit', (code) => reject(new Error(`ended with ${code}: ${out}`)));
  });
  const [url = '', setup] = line.match(/http:\/\/[^\s;]+/g) ?? [];
  return { child, url, setupToken: setup === undefined ? '' : (new URL(setup).searchParams.get('setup') ?? '') };
}

/** Somebody asks for a new password; the process dies at the failpoint, and a new one starts. */
async function killedAt(failpoint: string, settings: Record<string, string>): Promise<ParleyClient> {
  data = mkdtempSync(join(tmpdir(), 'parley-mail-kill-'));
  const { child, url, setupToken } = await start({ ...settings, PARLEY_TEST_FAILPOINT: failpoint });
  const gone = once(child, 'exit');
  const client = new ParleyClient(url);
  await client.register({ ...admin, setupToken });
  await client.call('POST /api/auth/password-resets', { body: { email: admin.email, locale: 'en' } });
  expect((await gone)[1]).toBe('SIGKILL');
  const again = new ParleyClient((await start(settings)).url);
  await again.signIn(admin.email, admin.password);
  return again;
}
const untilOut = (client: ParleyClient, state: 'sent' | 'kept'): Promise<void> =>
  eventually(async () => {
    const { items } = await client.call('GET /api/auth/mails');
    expect(items.map((item) => [item.kind, item.state])).toEqual([['password-reset', state]]);
  }, 'the mail should be out');

test('killed when the event was handled and nothing was sent: one mail', async () => {
  const settings = {
    PARLEY_SMTP_URL: `smtp://127.0.0.1:${smtp.port}?tls=none`,
    PARLEY_MAIL_FROM: 'no-reply@parley.example',
  };
  await untilOut(await killedAt('effect-committed', settings), 'sent');
  // The event comes again, and a sweep or two go by.
  await wait(2_500);
  expect(smtp.mails.map(({ to }) => to)).toEqual([[admin.email]]);
}, 60_000);

test('killed when the mail was written and not noted: there is one, and it is noted without waiting for the lease', async () => {
  const startedAt = Date.now();
  await untilOut(await killedAt('mail-sent-not-marked', {}), 'kept');
  expect(readdirSync(join(data, 'mail')).filter((name) => name.endsWith('.eml'))).toHaveLength(1);
  expect(Date.now() - startedAt).toBeLessThan(30_000);
}, 60_000);
