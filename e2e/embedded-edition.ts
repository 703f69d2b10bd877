import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import type { Account, Edition, Product } from './edition.ts';

/** The built product as its own process, on a data folder and port of its own. */
export const embeddedEdition: Edition = {
  start: (settings) => startIn(mkdtempSync(join(tmpdir(), 'parley-e2e-')), settings),
};

/** Starts it on this folder, which is deleted when it closes. */
export async function startIn(folder: string, settings: Record<string, string>): Promise<Product> {
  const cli = join(import.meta.dirname, '../cli/dist/cli.js');
  const child = spawn(process.execPath, [cli, '--data', folder, '--port', '0'], {
    env: { ...process.env, NODE_OPTIONS: '', PARLEY_RATE_LIMITS: '*.person=100000,*.organisation=100000', ...settings },
  });
  const line = await new Promise<string>((resolve, reject) => {
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk: Buffer) => {
        output += chunk.toString();
        if (output.includes('ready at')) resolve(output);
      });
    }
    child.once('exit', (code) => reject(new Error(`the product ended with ${code}: ${output}`)));
  });
  const [url = '', setupUrl = ''] = line.match(/http:\/\/[^\s;]+/g) ?? [];
  const close = async () => {
    const gone = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGTERM');
    await gone;
    rmSync(folder, { recursive: true, force: true });
  };
  return {
    url,
    letFirstAdminIn: (page, admin, beforeSending) => register(page, { setupUrl, admin, beforeSending }),
    idleProcesses: () => Promise.resolve([]),
    log: () => logIn(join(folder, 'logs')),
    linkMailedTo: async (address, page) => linkIn(join(folder, 'mail'), address, page),
    close,
  };
}

const logIn = (folder: string): string =>
  readdirSync(folder)
    .map((name) => readFileSync(join(folder, name), 'utf8'))
    .join('');

function linkIn(folder: string, address: string, page: string): string {
  // Their names tell no time.
  const mails = readdirSync(folder)
    .filter((name) => name.endsWith('.eml'))
    .map((name) => join(folder, name))
    .toSorted((one, other) => statSync(one).mtimeMs - statSync(other).mtimeMs)
    .map((path) => readFileSync(path, 'utf8').replace(/=\r?\n/g, ''))
    .filter((mail) => mail.includes(`To: ${address}`));
  const [link] = mails.flatMap((mail) => mail.match(new RegExp(`http\\S+/${page}#[\\w-]+`)) ?? []).slice(-1);
  if (link === undefined) throw new Error('There is none yet.');
  return link;
}

/** By the link that the start has printed. */
async function register(
  page: Page,
  {
    setupUrl,
    admin,
    beforeSending,
  }: { setupUrl: string; admin: Account; beforeSending: (() => Promise<void>) | undefined },
): Promise<void> {
  await page.goto(setupUrl);
  await page.getByLabel('Your name').fill(admin.name);
  await page.getByLabel('Work email').fill(admin.email);
  await page.getByLabel('Password', { exact: true }).fill(admin.password);
  await beforeSending?.();
  await page.getByRole('button', { name: 'Create account' }).click();
}
