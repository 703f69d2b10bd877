import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { newId } from '@parley/platform/ids';
import { describeSkipped, eventually } from '@parley/testing';
import { ParleyClient } from '@parley/testing/client';
import type { Browser, Locator, Page } from 'playwright-core';
import { newBrowserFor, noBrowser, openBrowser } from './browser.ts';
import type { Account, Product } from './edition.ts';
import { embeddedEdition } from './embedded-edition.ts';
import { signIn } from './sign-in.ts';

const reader: Account = { name: 'Ines Vardale', email: 'ines@example.com', password: 'three quiet herons' };
const widths = [1280, 360];

if (noBrowser) describeSkipped('the places of a chat', noBrowser);
else describe('the places of a chat', defineSuite);

function defineSuite(): void {
  let product: Product;
  let browser: Browser;
  let client: ParleyClient;
  const pages = new Map<number, Page>();
  beforeAll(async () => {
    product = await embeddedEdition.start({ PARLEY_REGISTRATION: 'open' });
    browser = await openBrowser();
    client = new ParleyClient(product.url);
    await client.register(reader);
    await client.createOrganisation('Lindmoor');
    for (const width of widths) {
      const { page } = await newBrowserFor(browser, { width });
      await page.goto(`${product.url}/en`);
      await signIn(page, reader);
      await message(page).waitFor();
      pages.set(width, page);
    }
  }, 180_000);
  afterAll(async () => {
    await browser?.close();
    await product?.close();
  });

  const message = (page: Page) => page.getByRole('textbox', { name: 'Message' });
  const boxOf = async (place: Locator) => {
    const box = await place.boundingBox();
    expect(box).not.toBeNull();
    return { top: box!.y, bottom: box!.y + box!.height };
  };
  /** Opens a chat with this number of questions and answers at its end. */
  async function chatOf(page: Page, questions: number): Promise<void> {
    const conversationId = newId('conversation');
    for (let asked = 1; asked <= questions; asked += 1) {
      const words = `Question ${asked}\n${'about herons and storks\n'.repeat(8)}`;
      await client.send(conversationId, words);
      await eventually(async () => {
        const { items } = await client.messages(conversationId);
        expect(items).toHaveLength(2 * asked);
        expect(items.at(-1)?.generation?.finishedAt).toEqual(expect.any(String));
      }, 'the answer should end');
    }
    await page.goto(`${product.url}/en/chat/${conversationId}`);
    await page.getByRole('log').getByText(`Question ${questions}`).first().waitFor();
  }

  test.each(widths)('a toast covers neither the composer nor what is said on top of it, at %i px', async (width) => {
    const page = pages.get(width)!;
    await chatOf(page, 1);
    await page.getByRole('button', { name: 'Chat actions' }).click();
    await page.getByRole('menuitem', { name: 'Archive chat' }).click();
    const toast = page.getByRole('button', { name: 'Undo' }).locator('..');
    await toast.waitFor();
    await page.getByText('This chat is archived.').waitFor();
    // The composer grows while the toast is there.
    for (const lines of [1, 6]) {
      await message(page).fill('one more line\n'.repeat(lines));
      const { bottom } = await boxOf(toast);
      expect(bottom).toBeLessThanOrEqual((await boxOf(page.locator('[data-composer]'))).top);
      expect(bottom).toBeLessThanOrEqual((await boxOf(page.getByText('This chat is archived.'))).top);
    }
    await message(page).fill('');
  });

  test.each(widths)('the editor of a question stays in sight as it grows, at %i px', async (width) => {
    const page = pages.get(width)!;
    await chatOf(page, 3);
    await page.keyboard.press('Escape');
    await page.keyboard.press('e');
    const field = page.getByRole('textbox', { name: 'Your question' });
    const send = page.getByRole('button', { name: 'Send as new version' });
    await field.waitFor();
    for (const lines of [1, 30]) {
      for (let line = 0; line < lines; line += 1) await page.keyboard.press('Shift+Enter');
      const header = await boxOf(page.locator('main header').first());
      const composer = await boxOf(page.locator('[data-composer]').last());
      expect((await boxOf(field)).top).toBeGreaterThanOrEqual(header.bottom);
      expect((await boxOf(send)).bottom).toBeLessThanOrEqual(composer.top);
    }
    await page.keyboard.press('Escape');
  });

  test('the composer of an empty chat stays where it is from its first moment on', async () => {
    const page = pages.get(1280)!;
    await page.goto(`${product.url}/en/chat`);
    await message(page).waitFor();
    const { top } = await boxOf(message(page));
    await page.getByRole('link', { name: /^Invite people/ }).waitFor();
    expect((await boxOf(message(page))).top).toBe(top);
  });
}
