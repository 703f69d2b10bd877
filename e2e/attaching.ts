import { expect, test } from '@jest/globals';
import { eventually } from '@parley/testing';
import { ParleyClient } from '@parley/testing/client';
import { pageOf, pdfOf, xlsxOf } from '@parley/testing/files';
import type { Page } from 'playwright-core';
import { seriousFaults } from './axe.ts';
import type { Account } from './edition.ts';
import type { SlowModel } from './slow-model.ts';

type Scene = { readonly url: string; readonly page: Page; readonly model: SlowModel; readonly account: Account };

const plan = {
  name: 'Plan.pdf',
  mimeType: 'application/pdf',
  buffer: pdfOf([pageOf('Leave', [['Each has 28 days.']]), pageOf('Parking', [['The car park opens at seven.']])]),
};
const sizes = {
  name: 'Sizes.xlsx',
  mimeType: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  buffer: xlsxOf({
    Sizes: [
      ['Place', 'Cars'],
      ['North', 40],
    ],
  }),
};

/** 64 x 48 pixels of one color. */
export const redImage = {
  name: 'Red.png',
  mimeType: 'image/png',
  buffer: Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAEAAAAAwCAMAAACWlYwtAAAAA1BMVEXAMCDS/b2hAAAACXBIWXMAAAPoAAAD6AG1e1JrAAAAGklEQVRIx+3BgQAAAADDoPlTX+AIVQEAAHwDDDAAAcvAQmMAAAAASUVORK5CYII=',
    'base64',
  ),
};

/** Says what the account's organisation stores, in bytes. */
async function storageOf({ url, account }: Scene): Promise<() => Promise<number>> {
  const client = new ParleyClient(url);
  await client.signIn(account.email, account.password);
  client.orgId = (await client.call('GET /api/org/organisations')).items[0]!.id;
  return async () => (await client.call('GET /api/chat/connections')).storage!.usedBytes;
}

/**
 * Attaches files to a question, opens what the answer cites, edits the question and deletes the chats; signed in already.
 * What it returns is a test for later: the space of what was deleted is free after a minute at most.
 */
export function defineAttaching(scene: () => Scene): () => Promise<void> {
  const chats: string[] = [];
  let bytesBefore = 0;
  const question = (page: Page) => page.getByRole('article').nth(0);
  const answer = (page: Page) => page.getByRole('article').nth(1);
  const card = (page: Page, name: string) => page.getByRole('listitem').filter({ hasText: name });

  test('attached files are read, say how they are used, and stay in the draft', async () => {
    const { page, url } = scene();
    bytesBefore = await (await storageOf(scene()))();
    await page.goto(`${url}/en/chat`);
    await page.getByRole('textbox', { name: 'Message' }).waitFor();
    await page.locator('input[type=file]').setInputFiles([plan, sizes]);
    await card(page, 'Sizes.xlsx')
      .getByRole('button', { name: /^Read in full, \d+ tokens$/ })
      .waitFor();
    await card(page, 'Plan.pdf')
      .getByRole('button', { name: /^Read in full, \d+ tokens$/ })
      .click();
    await page.getByRole('menuitem', { name: /^Search it/ }).click();
    await card(page, 'Plan.pdf').getByRole('button', { name: 'Searched, 2 pages' }).waitFor();
    await page.getByRole('menu').waitFor({ state: 'hidden' });
    expect(await seriousFaults(page)).toEqual([]);
    await page.reload();
    await card(page, 'Plan.pdf').getByRole('button', { name: 'Searched, 2 pages' }).waitFor();
  });

  test('the answer cites a page of one, and the citation opens the passage', async () => {
    const { page, model } = scene();
    await page.getByRole('textbox', { name: 'Message' }).fill('When does the car park open?');
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/en\/chat\/cnv_/);
    chats.push(page.url());
    await eventually(() => model.asked === 1, 'the model should be asked');
    model.answerAll('At seven. [1]');
    await answer(page).getByRole('button', { name: 'Source 1' }).click();
    await page.locator('mark').getByText('The car park opens at seven.').waitFor();
    await page.getByRole('button', { name: 'Open file' }).click();
    await page.locator('figure[data-page="2"]', { has: page.locator('canvas') }).waitFor();
    await page.locator('figure[data-page="2"] span[class*="cited"]').first().waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Open file' }).waitFor();
    for (const name of ['Plan.pdf', 'Sizes.xlsx'])
      await question(page)
        .getByRole('button', { name: new RegExp(`^${name}`) })
        .waitFor();
    expect(await seriousFaults(page)).toEqual([]);
  });

  test('another version of the question has the same files, and one of them is saved', async () => {
    const { page, model } = scene();
    await question(page).hover();
    await question(page).getByRole('button', { name: 'Edit' }).click();
    await page.getByRole('textbox', { name: 'Your question' }).fill('How many cars fit in?');
    await page.getByRole('button', { name: 'Send as new version' }).click();
    await eventually(() => model.asked === 1, 'the model should be asked');
    model.answerAll('Forty.');
    await answer(page).getByText('Forty.').waitFor();
    const saving = page.waitForEvent('download');
    await question(page)
      .getByRole('button', { name: /^Sizes\.xlsx/ })
      .click();
    expect((await saving).suggestedFilename()).toBe('Sizes.xlsx');
  });
  test('an image is seen by a model, and shown in the chat', async () => {
    const { page, model, url } = scene();
    await page.goto(`${url}/en/chat`);
    await page.getByRole('textbox', { name: 'Message' }).waitFor();
    await page.locator('input[type=file]').setInputFiles([redImage]);
    await card(page, 'Red.png').getByText('Seen as image').waitFor();
    await page.getByRole('textbox', { name: 'Message' }).fill('Which color is it?');
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/en\/chat\/cnv_/);
    chats.push(page.url());
    await eventually(() => model.asked === 1, 'the model should be asked');
    expect(model.images).toEqual([expect.stringMatching(/^data:image\/jpeg;base64,/)]);
    model.answerAll('Red.');
    await answer(page).getByText('Red.').waitFor();
    const shown = question(page).getByRole('img', { name: 'Red.png' });
    await eventually(
      async () => (await shown.evaluate((image) => (image as unknown as { naturalWidth: number }).naturalWidth)) === 64,
      'the image should be shown',
    );
    await shown.click();
    await page.getByRole('dialog', { name: 'Red.png' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
    expect(await seriousFaults(page)).toEqual([]);
  });

  test('a model without image support answers too', async () => {
    const { page } = scene();
    await answer(page).hover();
    await answer(page).getByRole('button', { name: 'More' }).click();
    await page.getByRole('menuitem', { name: 'Ask again with…' }).click();
    const builtIn = page.getByRole('menuitem', { name: /Built-in assistant/ });
    await builtIn.getByText('Doesn’t accept images').waitFor();
    await builtIn.click();
    await answer(page).getByText('2 / 2').waitFor();
  });

  test('the chats are deleted, and their space is to be freed at once', async () => {
    const { page, url } = scene();
    expect(await (await storageOf(scene()))()).toBeGreaterThan(bytesBefore);
    for (const chat of chats) {
      await page.goto(chat);
      await page.getByRole('button', { name: 'Chat actions' }).click();
      await page.getByRole('menuitem', { name: 'Delete chat' }).click();
      await page.waitForURL((to) => !chat.endsWith(to.pathname));
      await page.getByRole('textbox', { name: 'Message' }).waitFor();
    }
    await page.goto(`${url}/en/settings?tab=deleted`);
    const free = page.getByRole('button', { name: /^Free now: / });
    await free.first().waitFor();
    for (let left = await free.count(); left > 0; left -= 1) {
      await free.first().click();
      await page.getByRole('dialog').getByRole('button', { name: 'Free now' }).click();
      await eventually(async () => (await free.count()) === left - 1, 'the chat should be gone from the list');
    }
    await page.goto(`${url}/en/chat`);
    await page.getByRole('textbox', { name: 'Message' }).waitFor();
  });

  return async () => {
    const stored = await storageOf(scene());
    await eventually(async () => expect(await stored()).toBe(bytesBefore), 'the space should be free', 90_000);
  };
}
