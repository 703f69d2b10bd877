import { expect, test } from '@jest/globals';
import { packedParts } from '@parley/testing/files';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { seriousFaults } from './axe.ts';
import { newBrowserFor } from './browser.ts';
import type { Account } from './edition.ts';
import { embeddedEdition } from './embedded-edition.ts';

type Scene = { readonly url: string; readonly page: Page; readonly browser: Browser; readonly account: Account };

const askedAt = 1_700_000_000;
const node = (id: string, parent: string | null, message: object | null) => ({ [id]: { id, parent, message } });
const said = (role: 'user' | 'assistant', text: string, metadata = {}) => ({
  author: { role },
  create_time: askedAt,
  content: { content_type: 'text', parts: [text] },
  recipient: 'all',
  metadata,
});
const bytes = (text: string) => new TextEncoder().encode(text);
const notes = { id: 'file-notes', name: 'notes.txt', size: 9, mime_type: 'text/plain' };
/** As ChatGPT gives it: an edited question with a file, and a chat that nobody can read. */
const chatgpt = {
  name: 'chatgpt.zip',
  mimeType: 'application/zip',
  buffer: packedParts({
    'conversations.json': bytes(
      JSON.stringify([
        {
          id: 'c-1',
          title: 'Outage at substation 14',
          create_time: askedAt,
          update_time: askedAt,
          current_node: 'a2',
          mapping: {
            ...node('root', null, null),
            ...node('q1', 'root', said('user', 'What failed?')),
            ...node('a1', 'q1', said('assistant', 'A breaker.', { model_slug: 'gpt-4o' })),
            ...node('q2', 'root', said('user', 'What failed at quarter past two?', { attachments: [notes] })),
            ...node('a2', 'q2', said('assistant', 'The relay 51N tripped.', { model_slug: 'gpt-4o' })),
          },
        },
        { id: 'c-2', title: 'Damaged', mapping: 12 },
      ]),
    ),
    'file-notes-notes.txt': bytes('the notes'),
    'user.json': bytes('{}'),
  }),
};

/** Brings chats from another product, and takes all along to a second installation; signed in already. */
export function defineMovingIn(scene: () => Scene): void {
  const folder = mkdtempSync(join(tmpdir(), 'parley-moving-'));
  const exported = join(folder, 'export.zip');
  const question = (page: Page) => page.getByRole('article').nth(0);
  const answer = (page: Page) => page.getByRole('article').nth(1);
  const choose = async (page: Page, file: Parameters<ReturnType<Page['locator']>['setInputFiles']>[0]) => {
    await page.getByLabel('Export files').setInputFiles(file);
    await page.getByText('Checked', { exact: true }).waitFor();
  };
  const seesTheChat = async (page: Page) => {
    await page.getByRole('heading', { name: 'Outage at substation 14' }).waitFor();
    await answer(page).getByText('The relay 51N tripped.').waitFor();
    await question(page).getByText('2 / 2').waitFor();
    await question(page).getByText('imported').waitFor();
    await answer(page).getByText('gpt-4o').waitFor();
    await question(page)
      .getByRole('button', { name: /^notes\.txt/ })
      .waitFor();
    await question(page).getByRole('button', { name: 'Earlier version' }).click();
    await answer(page).getByText('A breaker.').waitFor();
    await question(page).getByRole('button', { name: 'Later version' }).click();
    await answer(page).getByText('The relay 51N tripped.').waitFor();
  };

  test('an export of another product is checked, then imported', async () => {
    const { page, url } = scene();
    await page.goto(`${url}/en/settings?tab=data`);
    await choose(page, chatgpt);
    await page.getByRole('row', { name: /^Chats 2 1 1 without messages/ }).waitFor();
    expect(await seriousFaults(page)).toEqual([]);
    await page.getByRole('button', { name: 'Import 1 chat' }).click();
    await page.getByText(/^ChatGPT · .* · 1 chat · 4 messages · 1 file$/).waitFor();
    expect(await seriousFaults(page)).toEqual([]);
  });

  test('search finds an imported chat, which opens where it was left', async () => {
    const { page } = scene();
    await page.keyboard.press('Control+k');
    await page
      .getByRole('combobox', { name: 'Search chats, documents and people, or go to a page' })
      .fill('51N tripped');
    await page
      .getByRole('option', { name: /51N tripped/ })
      .first()
      .click();
    await seesTheChat(page);
  });

  test('all chats are exported, and the archive is downloaded', async () => {
    const { page, url } = scene();
    await page.goto(`${url}/en/settings?tab=data`);
    await page.getByRole('button', { name: 'Export my data' }).click();
    const saving = page.waitForEvent('download', { timeout: 60_000 });
    await page.getByRole('button', { name: /^Download export of / }).click({ timeout: 60_000 });
    await (await saving).saveAs(exported);
  });

  test('a second installation imports them, with versions, files and projects', async () => {
    const second = await embeddedEdition.start({});
    const { context, page } = await newBrowserFor(scene().browser);
    try {
      await second.letFirstAdminIn(page, scene().account);
      await page.getByLabel('Name of the organisation').fill('Lindmoor North');
      await page.getByRole('button', { name: 'Create organisation' }).click();
      await page.getByRole('textbox', { name: 'Message' }).waitFor();
      await page.goto(`${second.url}/en/settings?tab=data`);
      await choose(page, exported);
      await page.getByText(/^Parley · .* nothing imported yet$/).waitFor();
      await page.getByRole('button', { name: /^Import \d+ chats/ }).click();
      await page.getByRole('heading', { name: 'Imported' }).waitFor();
      await page.goto(`${second.url}/en/chat`);
      for (const name of ['Substation 14 refit', 'Storm season']) await page.getByRole('link', { name }).waitFor();
      await page.getByRole('link', { name: 'Outage at substation 14' }).click();
      await seesTheChat(page);
    } finally {
      await context.close();
      await second.close();
      rmSync(folder, { recursive: true, force: true });
    }
  });
}
