import { expect, test } from '@jest/globals';
import { eventually } from '@parley/testing';
import { ParleyClient } from '@parley/testing/client';
import { pageOf, pdfOf, redPng, xlsxOf } from '@parley/testing/files';
import type { JSHandle, Page } from 'playwright-core';
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

export const redImage = { name: 'Red.png', mimeType: 'image/png', buffer: redPng };

/** Says what the account's organisation stores, in bytes. */
async function storageOf({ url, account }: Scene): Promise<() => Promise<number>> {
  const client = new ParleyClient(url);
  await client.signIn(account.email, account.password);
  client.orgId = (await client.call('GET /api/org/organisations')).items[0]!.id;
  return async () => (await client.call('GET /api/chat/connections')).storage!.usedBytes;
}

type Dropped = { readonly name: string; readonly mimeType: string; readonly buffer: Buffer };

/** Returns the data of a drag with these files. */
const dragged = (page: Page, files: readonly Dropped[]): Promise<JSHandle> =>
  page.evaluateHandle(
    (given) => {
      type Transfer = { readonly items: { add(file: unknown): void } };
      const { DataTransfer } = globalThis as never as { DataTransfer: new () => Transfer };
      const transfer = new DataTransfer();
      for (const { name, type, base64 } of given) {
        const bytes = Uint8Array.from(atob(base64), (sign) => sign.charCodeAt(0));
        transfer.items.add(new File([bytes], name, { type }));
      }
      return transfer;
    },
    files.map(({ name, mimeType, buffer }) => ({ name, type: mimeType, base64: buffer.toString('base64') })),
  );

/**
 * Drops files on a chat, opens what its answer cites, edits the question, asks a model without images and deletes the chat;
 * signed in already. What it returns is a test for later: the space of what was deleted is free after a minute at most.
 */
export function defineAttaching(scene: () => Scene): () => Promise<void> {
  let bytesBefore = 0;
  let chat = '';
  const question = (page: Page) => page.getByRole('article').nth(0);
  const answer = (page: Page) => page.getByRole('article').nth(1);
  const card = (page: Page, name: string) => page.getByRole('listitem').filter({ hasText: name });

  test('files that are dropped are read, say how they are used, and stay in the draft', async () => {
    const { page, url } = scene();
    bytesBefore = await (await storageOf(scene()))();
    await page.goto(`${url}/en/chat`);
    await page.getByRole('button', { name: 'Attach files' }).waitFor();
    const target = page.getByRole('textbox', { name: 'Message' });
    const dataTransfer = await dragged(page, [plan, sizes, redImage]);
    await target.dispatchEvent('dragenter', { dataTransfer });
    await target.dispatchEvent('dragover', { dataTransfer });
    await page.getByText('Drop 3 files to attach').waitFor();
    expect(await seriousFaults(page)).toEqual([]);
    await target.dispatchEvent('drop', { dataTransfer });
    await page.getByText('Drop 3 files to attach').waitFor({ state: 'hidden' });
    await card(page, 'Sizes.xlsx')
      .getByRole('button', { name: /^Read in full, \d+ tokens$/ })
      .waitFor();
    await card(page, 'Red.png').getByText('Seen as image').waitFor();
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

  test('the model sees the image; the answer cites a page, and the citation opens it', async () => {
    const { page, model } = scene();
    await page.getByRole('textbox', { name: 'Message' }).fill('When does the car park open?');
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/en\/chat\/cnv_/);
    chat = page.url();
    await eventually(() => model.asked === 1, 'the model should be asked');
    expect(model.images).toEqual([expect.stringMatching(/^data:image\/jpeg;base64,/)]);
    model.answerAll('At seven. [1]');
    await answer(page).getByRole('button', { name: 'Source 1' }).click();
    await page.locator('mark').getByText('The car park opens at seven.').waitFor();
    await page.getByRole('button', { name: 'Open file' }).click();
    await page.locator('figure[data-page="2"]', { has: page.locator('canvas') }).waitFor();
    await page.locator('figure[data-page="2"] span[class*="cited"]').first().waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Open file' }).waitFor();
    await question(page)
      .getByText(/^Read in full, \d+ tokens$/)
      .waitFor();
    await question(page).getByText('Searched, 2 pages').waitFor();
    expect(await seriousFaults(page)).toEqual([]);
  });

  test('the image is shown in the chat, and large', async () => {
    const { page } = scene();
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

  test('another version of the question has the same files, and one of them is saved', async () => {
    const { page, model } = scene();
    await question(page).hover();
    await question(page).getByRole('button', { name: 'Edit' }).click();
    await page.getByRole('textbox', { name: 'Your question' }).fill('How many cars fit in?');
    await page.getByRole('button', { name: 'Send as new version' }).click();
    await eventually(() => model.asked === 1, 'the model should be asked');
    expect(model.images).toHaveLength(1);
    model.answerAll('Forty.');
    await answer(page).getByText('Forty.').waitFor();
    const saving = page.waitForEvent('download');
    await question(page).getByRole('button', { name: 'Download Sizes.xlsx' }).click();
    expect((await saving).suggestedFilename()).toBe('Sizes.xlsx');
  });

  test('a model without image support answers too, and the question says that it saw none', async () => {
    const { page } = scene();
    await question(page).getByText('Seen as image').waitFor();
    await answer(page).hover();
    await answer(page).getByRole('button', { name: 'More' }).click();
    await page.getByRole('menuitem', { name: 'Ask again with…' }).click();
    const builtIn = page.getByRole('menuitem', { name: /Built-in assistant/ });
    await builtIn.getByText('Doesn’t accept images').waitFor();
    await builtIn.click();
    await answer(page).getByText('2 / 2').waitFor();
    await question(page).getByText('Given as a note').waitFor();
  });

  test('the chat is deleted, and its space is to be freed at once', async () => {
    const { page, url } = scene();
    expect(await (await storageOf(scene()))()).toBeGreaterThan(bytesBefore);
    await page.getByRole('button', { name: 'Chat actions' }).click();
    await page.getByRole('menuitem', { name: 'Delete chat' }).click();
    await page.waitForURL((to) => !chat.endsWith(to.pathname));
    await page.getByRole('textbox', { name: 'Message' }).waitFor();
    await page.goto(`${url}/en/settings?tab=deleted`);
    const free = page.getByRole('button', { name: /^Delete permanently: / });
    await free.first().waitFor();
    for (let left = await free.count(); left > 0; left -= 1) {
      await free.first().click();
      await page.getByRole('dialog').getByRole('button', { name: 'Delete permanently' }).click();
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
