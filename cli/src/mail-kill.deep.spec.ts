import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { eventually } from '@parley/testing';
import { ParleyClient } from '@parley/testing/client';
import { SmtpTestServer } from '@parley/testing/servers';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { ownProcesses } from './own-process.spec-setup.ts';

const admin = { name: 'Ines', email: 'ines@lindmoor.example', password: 'three quiet herons' };
let smtp: SmtpTestServer;
const { start, folder } = ownProcesses();
beforeAll(async () => {
  smtp = await SmtpTestServer.start({ noTls: true });
});
afterAll(() => smtp.stop());

/** Somebody registers and acts, which leads to a mail; the process dies at the failpoint, and a new one starts. */
async function killedAt(
  failpoint: string,
  settings: Record<string, string>,
  act: (client: ParleyClient) => Promise<unknown> = async () => {},
): Promise<{ client: ParleyClient }> {
  const { child, url, setupToken } = await start({ ...settings, PARLEY_TEST_FAILPOINT: failpoint });
  const gone = once(child, 'exit');
  const asking = new ParleyClient(url);
  // It may die before it has answered.
  await asking
    .register({ ...admin, setupToken })
    .then(() => act(asking))
    .catch(() => undefined);
  expect((await gone)[1]).toBe('SIGKILL');
  const client = new ParleyClient((await start(settings)).url);
  await client.signIn(admin.email, admin.password);
  return { client };
}
const bodyOf = (raw: string): string => raw.replaceAll(/=\r?\n/g, '');
const untilOut = (
  client: ParleyClient,
  ...mail: ['address-proof', 'sent'] | ['password-reset', 'kept']
): Promise<void> =>
  eventually(async () => {
    const { items } = await client.call('GET /api/auth/mails');
    expect(items.map((item) => [item.kind, item.state])).toEqual([mail]);
  }, 'the mail should be out');

test('killed when the event was handled and nothing was sent: one mail', async () => {
  const settings = {
    PARLEY_SMTP_URL: `smtp://127.0.0.1:${smtp.port}?tls=none`,
    PARLEY_MAIL_FROM: 'no-reply@parley.example',
  };
  const { client } = await killedAt('effect-committed', settings);
  await untilOut(client, 'address-proof', 'sent');
  // The repeated event comes first: this mail goes out after anything that it sends.
  await client.call('POST /api/auth/password-resets', { body: { email: admin.email, locale: 'en' } });
  const isLater = (raw: string) => raw.includes('/reset-password#');
  await eventually(() => smtp.mails.some(({ raw }) => isLater(bodyOf(raw))), 'a later mail should be out');
  expect(smtp.mails.map(({ to }) => to)).toEqual([[admin.email], [admin.email]]);
}, 120_000);

test('killed when the mail was written and not noted: there is one, and it is noted', async () => {
  const { client } = await killedAt('mail-sent-not-marked', {}, (asking) =>
    asking.call('POST /api/auth/password-resets', { body: { email: admin.email, locale: 'en' } }),
  );
  await untilOut(client, 'password-reset', 'kept');
  expect(readdirSync(join(folder(), 'mail')).filter((name) => name.endsWith('.eml'))).toHaveLength(1);
}, 120_000);
