import { expect, test } from '@jest/globals';
import { packedParts } from '@parley/testing/files';
import type { Page } from 'playwright-core';
import { seriousFaults } from './axe.ts';

type Scene = { readonly url: string; readonly page: Page };

const project = 'g-p-substation';
const chats = 12;
const moved = 10;
const bytes = (text: string) => new TextEncoder().encode(text);
const node = (id: string, parent: string | null, message: object | null) => ({ [id]: { id, parent, message } });
const said = (role: 'user' | 'assistant', text: string) => ({
  author: { role },
  create_time: 1_720_000_000,
  content: { content_type: 'text', parts: [text] },
  recipient: 'all',
  metadata: {},
});
const chat = (number: number) => ({
  id: `of-project-${number}`,
  title: `Cable list for bay ${number}`,
  create_time: 1_720_000_000 + number,
  update_time: 1_720_000_000 + number,
  gizmo_id: project,
  conversation_template_id: project,
  current_node: 'a',
  mapping: {
    ...node('root', null, null),
    ...node('q', 'root', said('user', `Which cable feeds bay ${number}?`)),
    ...node('a', 'q', said('assistant', `Bay ${number} is fed by a Heronwire cable.`)),
  },
});
/** As ChatGPT gives it: chats of a project, which it names by an id alone. */
const chatgpt = {
  name: 'projects.zip',
  mimeType: 'application/zip',
  buffer: packedParts({
    'conversations.json': bytes(JSON.stringify(Array.from({ length: chats }, (_none, at) => chat(at + 1)))),
    'user.json': bytes('{}'),
  }),
};

/** Brings a project from another product, finds in it, moves and deletes, and takes it along again; signed in already. */
export function defineOrdering(scene: () => Scene): void {
  const table = (page: Page) => page.getByRole('region', { name: 'Chats' }).getByRole('table');
  const openProject = async (page: Page, name: string) => {
    await page.getByRole('complementary', { name: 'Navigation' }).getByRole('link', { name, exact: true }).click();
    await page.getByRole('heading', { name, level: 1 }).waitFor();
  };

  test('chats of a project come with it, under a name that its person gives', async () => {
    const { page, url } = scene();
    await page.goto(`${url}/en/settings?tab=data`);
    await page.getByLabel('Export files').setInputFiles(chatgpt);
    await page.getByText('Checked', { exact: true }).waitFor();
    const name = page.getByLabel('Project name');
    expect(await name.inputValue()).toBe('ChatGPT project 1');
    await name.fill('Substation 14 refit');
    expect(await seriousFaults(page)).toEqual([]);
    await page.getByRole('button', { name: `Import ${chats} chats` }).click();
    await page.getByText(new RegExp(`^ChatGPT · .* · ${chats} chats`)).waitFor();
    await page.goto(`${url}/en/chat`);
    await openProject(page, 'Substation 14 refit');
    await table(page).getByRole('link', { name: 'Cable list for bay 12' }).waitFor();
    expect(await seriousFaults(page)).toEqual([]);
  });

  test('operators find one answer of the project', async () => {
    const { page } = scene();
    await page.keyboard.press('Control+k');
    const words = page.getByRole('combobox', { name: 'Search chats, documents and people, or go to a page' });
    await words.fill('in:"Substation 14 refit" from:chatbot before:2025-01-01 Heronwire');
    const hits = page.getByRole('option', { name: /Heronwire/ });
    await hits.first().click();
    await page.getByRole('article').getByText('is fed by a Heronwire cable.').waitFor();
    await page.getByRole('link', { name: 'Substation 14 refit' }).first().waitFor();
  });

  test('ten chats are selected and moved to another project at once', async () => {
    const { page } = scene();
    await openProject(page, 'Substation 14 refit');
    const links = table(page).getByRole('link', { name: /^Cable list/ });
    await links.first().waitFor();
    await links.first().click({ modifiers: ['Control'] });
    for (let at = 1; at < moved; at += 1) await table(page).getByRole('checkbox').nth(at).check();
    await page.getByRole('toolbar', { name: 'Selected chats' }).getByText(`${moved} selected`).waitFor();
    await page.getByRole('button', { name: 'Move to project' }).click();
    await page.getByRole('button', { name: 'New project…' }).click();
    await page.getByLabel('Name').fill('Storm season');
    await page.getByRole('button', { name: 'Create project' }).click();
    await page.getByText(`${moved} chats moved to “Storm season”.`).waitFor();
    await openProject(page, 'Storm season');
    await expectRows(page, moved);
  });

  test('a deleted project comes back with its chats', async () => {
    const { page } = scene();
    await page.getByRole('button', { name: 'Project actions' }).click();
    await page.getByRole('menuitem', { name: 'Delete project' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete project' }).click();
    await page.getByText('“Storm season” was deleted. Its chats are kept.').waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await openProject(page, 'Storm season');
    await expectRows(page, moved);
  });

  async function expectRows(page: Page, count: number): Promise<void> {
    const links = table(page).getByRole('link', { name: /^Cable list/ });
    await links.nth(count - 1).waitFor();
    expect(await links.count()).toBe(count);
  }
}
