import { expect, test } from '@jest/globals';
import { eventually } from '@parley/testing';
import type { Browser, Locator, Page } from 'playwright-core';
import { seriousFaults } from './axe.ts';
import { newBrowserFor } from './browser.ts';
import type { Account } from './edition.ts';
import { signIn } from './sign-in.ts';
import type { SlowModel } from './slow-model.ts';

type Scene = {
  readonly url: string;
  readonly page: Page;
  readonly browser: Browser;
  readonly model: SlowModel;
  readonly account: Account;
};

const articles = (page: Page) => page.getByRole('article');
const place = (article: Locator, words: string) => article.getByRole('group', { name: words, exact: true });

/** Edits, compares two models, branches, deletes with undo, and finds the same on a second device; signed in already. */
export function defineBranching(scene: () => Scene): void {
  const [question, answer] = [(page: Page) => articles(page).nth(0), (page: Page) => articles(page).nth(1)];

  async function answered(page: Page, words: string): Promise<void> {
    const { model } = scene();
    await eventually(() => model.asked === 1, 'the model should be asked');
    model.answerAll(words);
    await answer(page).getByText(words).waitFor();
    await answer(page).getByRole('button', { name: 'Copy answer' }).waitFor();
  }

  test('an edited question is another version, with an answer of its own', async () => {
    const { page, url } = scene();
    await page.goto(`${url}/en/chat`);
    await page.getByRole('textbox', { name: 'Message' }).fill('Name a bird');
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/en\/chat\/cnv_/);
    await answered(page, 'A heron.');
    await question(page).hover();
    await question(page).getByRole('button', { name: 'Edit' }).click();
    await page.getByRole('textbox', { name: 'Your question' }).fill('Name a river bird');
    await page.getByRole('button', { name: 'Send as new version' }).click();
    await answered(page, 'A kingfisher.');
    await place(question(page), 'Version 2 of 2').waitFor();
    expect(await articles(page).count()).toBe(2);
  });

  test('another model answers the same question, and the arrows compare', async () => {
    const { page } = scene();
    await answer(page).getByRole('button', { name: 'More' }).click();
    await page.getByRole('menuitem', { name: 'Ask again with…' }).click();
    await page.getByRole('menuitem', { name: /Built-in assistant/ }).waitFor();
    expect(await seriousFaults(page)).toEqual([]);
    await page.getByRole('menuitem', { name: /Built-in assistant/ }).click();
    await place(answer(page), 'Version 2 of 2').waitFor();
    await answer(page).getByRole('button', { name: 'Earlier version' }).click();
    await answer(page).getByText('A kingfisher.').waitFor();
    await place(answer(page), 'Version 1 of 2').waitFor();
    await question(page).getByRole('button', { name: 'Earlier version' }).click();
    await answer(page).getByText('A heron.').waitFor();
    await question(page).getByRole('button', { name: 'Later version' }).click();
    await place(question(page), 'Version 2 of 2').waitFor();
  });

  test('a link opens the branch of its message', async () => {
    const { page } = scene();
    const chat = page.url();
    await question(page).getByRole('button', { name: 'Earlier version' }).click();
    await answer(page).getByText('A heron.').waitFor();
    const heron = await answer(page).getAttribute('id');
    await question(page).getByRole('button', { name: 'Later version' }).click();
    await place(question(page), 'Version 2 of 2').waitFor();
    await page.goto(`${chat}#${heron}`);
    await answer(page).getByText('A heron.').waitFor();
    await question(page).getByRole('button', { name: 'Later version' }).click();
    await place(question(page), 'Version 2 of 2').waitFor();
    await page.goto(chat);
  });

  test('a branch is a new chat of the path, and leads back', async () => {
    const { page } = scene();
    const from = page.url();
    await answer(page).hover();
    await answer(page).getByRole('button', { name: 'Branch to new chat' }).click();
    await page.waitForURL((url) => url.pathname !== new URL(from).pathname);
    await page.getByText('Branched from').waitFor();
    await eventually(async () => expect(await articles(page).count()).toBe(2), 'both messages should be there');
    await question(page).getByText('Name a river bird').waitFor();
    await page.getByText('Branched from').getByRole('link').click();
    await page.waitForURL((url) => url.pathname === new URL(from).pathname);
    await place(question(page), 'Version 2 of 2').waitFor();
  });

  test('what is deleted goes with all that follows, says how much, and comes back', async () => {
    const { page } = scene();
    await question(page).hover();
    await question(page).getByRole('button', { name: 'More' }).click();
    await page.getByRole('menuitem', { name: 'Delete 3 messages' }).click();
    await answer(page).getByText('A heron.').waitFor();
    expect(await question(page).getByRole('group').count()).toBe(0);
    await page.getByRole('button', { name: 'Undo' }).click();
    await place(question(page), 'Version 2 of 2').waitFor();
    await question(page).hover();
    await question(page).getByRole('button', { name: 'Edit' }).click();
    await page.getByRole('textbox', { name: 'Your question' }).waitFor();
    expect(await seriousFaults(page)).toEqual([]);
    await page.getByRole('button', { name: 'Cancel' }).click();
  });

  test('a second device shows the same path; switching there moves the first one after a reload', async () => {
    const { page, url, browser, account } = scene();
    const device = await newBrowserFor(browser, { width: 360 });
    await device.page.goto(`${url}/en`);
    await signIn(device.page, account);
    await device.page.getByRole('textbox', { name: 'Message' }).waitFor();
    await device.page.goto(page.url().replace(/#.*$/, ''));
    await place(question(device.page), 'Version 2 of 2').waitFor();
    await question(device.page).getByRole('button', { name: 'More' }).click();
    const drawer = device.page.getByRole('dialog', { name: 'Question, version 2 of 2' });
    await drawer.getByRole('button', { name: 'Edit' }).waitFor();
    expect(await seriousFaults(device.page)).toEqual([]);
    await drawer.getByRole('button', { name: 'Close' }).click();
    await drawer.waitFor({ state: 'detached' });
    await question(device.page).getByRole('button', { name: 'Earlier version' }).click();
    await answer(device.page).getByText('A heron.').waitFor();
    await place(question(page), 'Version 2 of 2').waitFor();
    await page.goto(page.url().replace(/#.*$/, ''));
    await page.reload();
    await answer(page).getByText('A heron.').waitFor();
    expect(device.complaints).toEqual([]);
    await device.context.close();
  });
}
