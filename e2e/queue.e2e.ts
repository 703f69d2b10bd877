import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { newId } from '@parley/platform/ids';
import { describeSkipped, eventually } from '@parley/testing';
import { ParleyClient } from '@parley/testing/client';
import type { Browser, Page } from 'playwright-core';
import { seriousFaults } from './axe.ts';
import { newBrowserFor, noBrowser, openBrowser, type Person } from './browser.ts';
import type { Account, Product } from './edition.ts';
import { embeddedEdition } from './embedded-edition.ts';
import { signIn } from './sign-in.ts';
import { startSlowModel, type SlowModel } from './slow-model.ts';

const reader: Account = { name: 'Ines Vardale', email: 'ines@example.com', password: 'three quiet herons' };

if (noBrowser) describeSkipped('the queue of a chat', noBrowser);
else describe('the queue of a chat', defineSuite);

function defineSuite(): void {
  let product: Product;
  let browser: Browser;
  let model: SlowModel;
  let client: ParleyClient;
  let first: Person;
  let second: Person;
  beforeAll(async () => {
    model = await startSlowModel();
    product = await embeddedEdition.start({ PARLEY_REGISTRATION: 'open', PARLEY_OUTBOUND_ALLOW: model.address });
    browser = await openBrowser();
    client = new ParleyClient(product.url);
    await client.register(reader);
    await client.createOrganisation('Lindmoor');
    await client.call('POST /api/chat/providers', {
      body: {
        id: newId('provider'),
        name: 'Slow',
        baseUrl: model.url,
        models: ['slow-1'],
        defaultModel: 'slow-1',
        isDefault: true,
      },
    });
    first = await newBrowserFor(browser);
    second = await newBrowserFor(browser);
    for (const { page } of [first, second]) {
      await page.goto(`${product.url}/en`);
      await signIn(page, reader);
      await page.getByRole('textbox', { name: 'Message' }).waitFor();
    }
  }, 180_000);
  afterAll(async () => {
    await browser?.close();
    await product?.close();
    model?.close();
  });

  const isAsked = () => eventually(() => model.asked === 1, 'the model is asked');
  const rows = (page: Page) => page.getByRole('region', { name: 'Queue' }).getByRole('listitem');
  const waits = (page: Page, ...texts: string[]) =>
    eventually(
      async () => {
        const shown = await rows(page).allInnerTexts();
        expect(shown).toHaveLength(texts.length);
        for (const [index, text] of texts.entries()) expect(shown[index]).toContain(text);
      },
      `${texts.join(', ') || 'nothing'} should wait`,
    );
  const said = (page: Page, text: string) => page.getByRole('log', { name: 'Messages' }).getByText(text).waitFor();
  const write = async (page: Page, text: string) => {
    await page.getByRole('textbox', { name: 'Message' }).fill(text);
    await page.keyboard.press('Enter');
  };
  /** A new chat whose answer is being written, on the first device. */
  async function ask(): Promise<string> {
    const conversationId = newId('conversation');
    await client.send(conversationId, 'What about herons?');
    await isAsked();
    const url = `${product.url}/en/chat/${conversationId}`;
    await first.page.goto(url);
    await said(first.page, 'What about herons?');
    return url;
  }
  const stop = (page: Page) => page.getByRole('button', { name: 'Stop', exact: true }).click();

  test('is the same on every device and after a reload, and goes on when the answer ends', async () => {
    const url = await ask();
    await write(first.page, 'And storks?');
    await write(first.page, 'And cranes?');
    await waits(first.page, 'And storks?', 'And cranes?');
    await first.page.reload();
    await waits(first.page, 'And storks?', 'And cranes?');
    await second.page.goto(url);
    await waits(second.page, 'And storks?', 'And cranes?');

    await rows(first.page).first().getByRole('button', { name: 'Edit' }).click();
    await first.page.getByRole('textbox', { name: 'Your question' }).fill('And black storks?');
    await first.page.getByRole('button', { name: 'Save message' }).click();
    await waits(second.page, 'And black storks?', 'And cranes?');
    await rows(second.page).last().getByRole('button', { name: 'Withdraw' }).click();
    await waits(first.page, 'And black storks?');

    await stop(first.page);
    for (const { page } of [first, second]) {
      await said(page, 'And black storks?');
      await waits(page);
    }
    await isAsked();
    model.say('They nest in old woods.');
    for (const { page } of [first, second]) await said(page, 'They nest in old woods.');

    await write(second.page, 'And cranes?');
    await waits(first.page, 'And cranes?');
    model.cut();
    for (const { page } of [first, second])
      await page.getByText('The last answer failed. Queued messages wait for you.').waitFor();
    expect(model.asked).toBe(0);
    expect(await seriousFaults(first.page)).toEqual([]);
    await first.page.getByRole('button', { name: 'Send anyway' }).click();
    await isAsked();
    model.answerAll('They dance.');
    for (const { page } of [first, second]) {
      await said(page, 'They dance.');
      await waits(page);
    }
  }, 300_000);

  test('leads to another version of a question once that is asked', async () => {
    await ask();
    await first.page.getByRole('article', { name: reader.name }).hover();
    await first.page.getByRole('button', { name: 'Edit' }).click();
    await first.page.getByRole('textbox', { name: 'Your question' }).fill('What about egrets?');
    await first.page.keyboard.press('Enter');
    await waits(first.page, 'What about egrets?');
    model.answerAll('Herons stand.');
    await said(first.page, 'What about egrets?');
    await isAsked();
    model.answerAll('Egrets are white.');
    await said(first.page, 'Egrets are white.');
    await first.page.getByRole('group', { name: 'Version 2 of 2' }).waitFor();
  }, 300_000);

  test('goes on behind the answer that is asked for in place of one that failed', async () => {
    await ask();
    await write(first.page, 'And storks?');
    await waits(first.page, 'And storks?');
    model.say('Herons stand in');
    await said(first.page, 'Herons stand in');
    model.cut();
    await first.page.getByRole('button', { name: 'Continue answer' }).click();
    await isAsked();
    await waits(first.page, 'And storks?');
    model.answerAll(' the water.');
    await said(first.page, 'the water.');
    await said(first.page, 'And storks?');
    await isAsked();
    model.answerAll('They nest on roofs.');
    await said(first.page, 'They nest on roofs.');
    expect([...first.complaints, ...second.complaints]).toEqual([]);
  }, 300_000);
}
