import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { ConversationId } from '@parley/contracts';
import { newId } from '@parley/platform/ids';
import { describeSkipped, eventually } from '@parley/testing';
import { ParleyClient } from '@parley/testing/client';
import type { Browser, Page } from 'playwright-core';
import { ines } from './accounts.ts';
import { seriousFaults } from './axe.ts';
import { newBrowserFor, noBrowser, openBrowser } from './browser.ts';
import type { Product } from './edition.ts';
import { embeddedEdition } from './embedded-edition.ts';
import { signIn } from './sign-in.ts';

const name = 'one person on two devices';

if (noBrowser) describeSkipped(name, noBrowser);
else describe(name, defineDevices);

function defineDevices(): void {
  let product: Product;
  let browser: Browser;
  let client: ParleyClient;
  let herons: ConversationId;
  let storks: ConversationId;
  let laptop: Page;
  let phone: Page;
  beforeAll(async () => {
    product = await embeddedEdition.start({ PARLEY_REGISTRATION: 'open' });
    browser = await openBrowser();
    client = new ParleyClient(product.url);
    await client.register(ines);
    await client.createOrganisation('Lindmoor');
    [herons, storks] = [newId('conversation'), newId('conversation')];
    for (const [id, question] of [
      [herons, 'Where do herons nest?'],
      [storks, 'Where do storks nest?'],
    ] as const) {
      await client.send(id, question);
      await isRead(id);
    }
    [laptop, phone] = [await aDevice(), await aDevice(360)];
  }, 180_000);
  afterAll(async () => {
    await browser?.close();
    await product?.close();
  });

  async function aDevice(width = 1280): Promise<Page> {
    const { page } = await newBrowserFor(browser, { width });
    await page.goto(`${product.url}/en`);
    await signIn(page, ines);
    await message(page).waitFor();
    return page;
  }

  /** Its answer has ended, and nothing of it is unread. */
  async function isRead(conversationId: ConversationId): Promise<void> {
    const params = { conversationId };
    await eventually(async () => {
      const { running, sequence } = await client.call('GET /api/chat/conversations/:conversationId', { params });
      expect(running).toBe(false);
      await client.call('PUT /api/chat/conversations/:conversationId/read', { params, body: { sequence } });
      const { unread } = await client.call('GET /api/chat/conversations/:conversationId', { params });
      expect(unread).toBeUndefined();
    }, 'the answer should end');
  }

  const message = (page: Page) => page.getByRole('textbox', { name: 'Message' });
  const note = (page: Page) => page.getByRole('list', { name: 'Also written on another device' });
  const serverHas = (text: string, others: readonly string[] = []) =>
    eventually(async () => {
      const draft = await client.call('GET /api/chat/drafts/:where', { params: { where: herons } });
      expect([draft.text, ...draft.others.map((other) => other.text)]).toEqual([text, ...others]);
    }, 'the server should have this draft');
  /** With the draft that the server has at that moment. */
  async function open(page: Page, id: ConversationId): Promise<void> {
    const isAsked = page.waitForResponse((response) => response.url().endsWith(`/drafts/${id}`));
    await page.goto(`${product.url}/en/chat/${id}`);
    await isAsked;
  }
  const fieldHas = (page: Page, text: string) =>
    eventually(async () => expect(await message(page).inputValue()).toBe(text), 'the field should have this text');

  test('what both have typed is on both, until one is chosen and sent', async () => {
    await open(laptop, herons);
    await open(phone, herons);
    await message(laptop).fill('And in winter?');
    await serverHas('And in winter?');
    await message(phone).fill('And in spring?');
    await note(phone).getByText('And in winter?').waitFor();
    await serverHas('And in spring?', ['And in winter?']);
    await laptop.evaluate("window.dispatchEvent(new Event('focus'))");
    await fieldHas(laptop, 'And in spring?');
    await note(laptop).getByRole('button', { name: 'Use this' }).click();
    await note(laptop).getByText('And in spring?').waitFor();
    await note(laptop).getByRole('button', { name: 'Dismiss' }).click();
    await serverHas('And in winter?');
    await open(phone, herons);
    await fieldHas(phone, 'And in winter?');
    expect(await note(phone).count()).toBe(0);
    // One can write before the messages are there, and send once they are.
    await phone.getByRole('article').last().waitFor();
    await message(phone).press('Enter');
    await phone.getByRole('article').getByText('And in winter?').waitFor();
    await serverHas('');
    await open(laptop, herons);
    await fieldHas(laptop, '');
  });

  test('what is typed without a connection is saved when it is back', async () => {
    const context = laptop.context();
    await context.setOffline(true);
    const hasFailed = laptop.waitForEvent('requestfailed', (request) => request.url().endsWith(`/drafts/${herons}`));
    await message(laptop).fill('And at night?');
    await hasFailed;
    await context.setOffline(false);
    await serverHas('And at night?');
    await message(laptop).fill('');
    await serverHas('');
  });

  test('an answer that nobody has seen is unread on both, and read on both once one has looked', async () => {
    await isRead(herons);
    const row = (page: Page, title: string) => page.getByRole('link', { name: title, exact: true });
    await row(laptop, 'Where do storks nest?').waitFor();
    await client.send(storks, 'And where do they winter?');
    await row(laptop, 'Where do storks nest? Unread').waitFor();
    await phone.getByRole('button', { name: 'Open navigation · Unread chats' }).click();
    await row(phone, 'Where do storks nest? Unread').click();
    await phone.getByRole('article').getByText('And where do they winter?').waitFor();
    await row(laptop, 'Where do storks nest?').waitFor();
    await phone.getByRole('button', { name: 'Open navigation', exact: true }).waitFor();
  });

  test('the keyboard does what its dialog says, and the dialog has no serious fault', async () => {
    await message(laptop).press('Escape');
    await laptop.keyboard.press('Shift+?');
    const dialog = laptop.getByRole('dialog', { name: 'Keyboard shortcuts' });
    await dialog.getByText('Copy the last answer').waitFor();
    expect(await seriousFaults(laptop)).toEqual([]);
    await laptop.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await laptop.keyboard.press('c');
    await laptop.getByText('Answer copied').waitFor();
    await laptop.keyboard.press('e');
    const question = laptop.getByRole('textbox', { name: 'Your question' });
    await question.fill('And by day?');
    await question.press('Enter');
    const version = (place: number) =>
      laptop
        .getByRole('group', { name: `Version ${place} of 2` })
        .last()
        .waitFor();
    await version(2);
    await laptop.keyboard.press('k');
    await version(1);
    await laptop.keyboard.press('j');
    await version(2);
    await laptop.keyboard.press('m');
    await laptop.keyboard.type('no shortcut');
    await fieldHas(laptop, 'no shortcut');
    await message(laptop).press('Escape');
    await laptop.keyboard.press('n');
    await laptop.getByRole('heading', { name: 'New chat' }).waitFor();
    await message(laptop).press('Control+/');
    await dialog.waitFor();
  });
}
