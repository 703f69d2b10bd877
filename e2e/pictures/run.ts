import { ParleyClient } from '@parley/testing/client';
import { hashOfScreen, picturesFile } from '@parley/tooling/pictures.mjs';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openBrowser } from '../browser.ts';
import { startIn } from '../embedded-edition.ts';
import { signIn } from '../sign-in.ts';
import { takeFirstHour } from './first-hour.ts';
import { openSlowTalk } from './slow-talk.ts';
import { firstHour, pictures } from './table.ts';
import { openPage, take, type Scheme } from './take.ts';

const home = join(import.meta.dirname, '../..');
const schemes: readonly Scheme[] = ['light', 'dark'];
const robin = { name: 'Robin Ashdown', email: 'robin@brightwater.example', password: 'three quiet herons' };

const data = mkdtempSync(join(tmpdir(), 'parley-pictures-'));
const filled = spawnSync(
  process.execPath,
  [join(home, 'cli/dist/cli.js'), 'demo', '--data', data, '--password', robin.password],
  { stdio: 'inherit', env: { ...process.env, NODE_OPTIONS: '' } },
);
if (filled.status !== 0) process.exit(1);
const product = await startIn(data, {});
const browser = await openBrowser();
try {
  const admin = new ParleyClient(product.url);
  await admin.signIn(robin.email, robin.password);
  const { items } = await admin.call('GET /api/org/organisations');
  admin.orgId = items.find(({ slug }) => slug === 'brightwater')!.id;
  const ids = await idsOf(admin);
  const talk = await openSlowTalk(admin, robin.password);
  for (const scheme of schemes) {
    const page = await openPage(browser, scheme);
    await page.goto(`${product.url}/en`);
    await signIn(page, robin);
    await page.getByRole('textbox', { name: 'Message' }).waitFor();
    for (const { name, path, until } of pictures) {
      await page.goto(`${product.url}/en/${path.replace(/:(\w+)/g, (_, id: string) => ids[id] ?? '')}`);
      await until(page);
      await take(page, `${name}-${scheme}`);
    }
    await page.context().close();
  }
  talk.close();
  for (const scheme of schemes) await takeFirstHour(browser, scheme);
} finally {
  await browser.close();
  await product.close();
  rmSync(data, { recursive: true, force: true });
}
writeFileSync(join(home, picturesFile), `${JSON.stringify(taken(), null, 2)}\n`);

/** Which ids the paths of the table name. */
async function idsOf(admin: ParleyClient): Promise<Readonly<Record<string, string>>> {
  const [chats, { items: projects }, { items: connections }, { items: chatbots }] = await Promise.all([
    admin.conversations(),
    admin.call('GET /api/chat/projects'),
    admin.call('GET /api/chat/connections'),
    admin.call('GET /api/chat/chatbots'),
  ]);
  return {
    chat: chats.find(({ title }) => title === 'Boots that do not fit')!.id,
    project: projects.find(({ name }) => name === 'Autumn range')!.id,
    connection: connections.find(({ name }) => name === 'Staff handbook')!.id,
    chatbot: chatbots.find(({ name }) => name === 'Customer care')!.id,
  };
}

function taken(): Record<string, { shows: readonly string[]; hash: string }> {
  const all = [...pictures.map(({ name, shows }) => [name, shows] as const), ...Object.entries(firstHour)];
  return Object.fromEntries(all.map(([name, shows]) => [name, { shows, hash: hashOfScreen(home, shows) }]));
}
