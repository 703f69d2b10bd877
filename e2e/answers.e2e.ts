import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { newId } from '@parley/platform/ids';
import { describeSkipped, eventually } from '@parley/testing';
import { ParleyClient } from '@parley/testing/client';
import type { Browser, Page } from 'playwright-core';
import { newBrowserFor, noBrowser, openBrowser, type Person } from './browser.ts';
import type { Account, Product } from './edition.ts';
import { embeddedEdition } from './embedded-edition.ts';
import { signIn } from './sign-in.ts';
import { startSlowModel, type SlowModel } from './slow-model.ts';

const reader: Account = { name: 'Ines Vardale', email: 'ines@example.com', password: 'three quiet herons' };
const code = '```ts\nexport const answer: number = 42; // and so on, until it is wider than a small screen is\n```';
const columns = ['Client', 'Laptops', 'Responsible', 'Configuration', 'Identifier'];
const row = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
const table = [row(columns), row(columns.map(() => '---')), row(columns.map((name) => name.repeat(2)))].join('\n');
const cited = 'The certificate was replaced on Monday [1] and **older clients of it** [1] keep it. ';
const arabic = 'استُبدلت الشهادة يوم الاثنين.';

if (noBrowser) describeSkipped('answers on the page', noBrowser);
else describe('answers on the page', defineSuite);

function defineSuite(): void {
  let product: Product;
  let browser: Browser;
  let model: SlowModel;
  let client: ParleyClient;
  let person: Person;
  let page: Page;
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
    const { id } = await client.upload('Handbook.md', '# Certificates\n\nThe certificate was replaced on Monday.');
    await eventually(async () => {
      const { items } = await client.call('GET /api/chat/documents');
      return items.find((document) => document.id === id)?.status === 'searchable';
    }, 'the document is searchable');
    person = await newBrowserFor(browser);
    page = person.page;
    await page.goto(`${product.url}/en`);
    await signIn(page, reader);
    await page.getByRole('textbox', { name: 'Message' }).waitFor();
  }, 180_000);
  afterAll(async () => {
    await browser?.close();
    await product?.close();
    model?.close();
  });

  /** What ended before is not taken for what was asked now. */
  const isLeft = () => eventually(() => model.asked === 0, 'the model is left');
  /** A new chat whose answer the test writes. */
  async function ask(): Promise<void> {
    await isLeft();
    const conversationId = newId('conversation');
    await client.send(conversationId, 'What about the certificate?');
    await page.goto(`${product.url}/en/chat/${conversationId}`);
    await eventually(() => model.asked === 1, 'the model is asked');
  }
  async function show(text: string): Promise<void> {
    await ask();
    model.say(text);
    model.end();
    await page.getByRole('button', { name: 'Copy answer' }).waitFor();
  }

  test('an answer that was stopped goes on from its text, also after a reload', async () => {
    await ask();
    model.say('- one\n- two\n  - three fo');
    await page.getByText('three fo').waitFor();
    // What lays answers out comes after the page: until then the text stands as it came.
    await page.locator('.md-caret').first().waitFor();
    expect(await page.locator('.md-caret').count()).toBe(1);
    await page.getByRole('button', { name: 'Stop', exact: true }).click();
    const goOn = page.getByRole('button', { name: 'Continue answer' });
    await goOn.waitFor();
    await isLeft();
    await goOn.click();
    await eventually(() => model.asked === 1, 'the model is asked to go on');
    model.say('four');
    await page.getByText('three four').waitFor();
    model.say(' five');
    model.end();
    await page.getByText('2 of 2').waitFor();
    await page.reload();
    await page.getByText('three four five').waitFor();
    expect(await page.locator('.md-caret').count()).toBe(0);
  });

  test('what its model thinks is folded above it, grows while it is open, and is there after a reload', async () => {
    await ask();
    model.think('Is it the certificate? ');
    const folded = page.locator('details', { hasText: /What it thinks|Thought for/ });
    await folded.getByText('What it thinks').waitFor();
    expect(await page.getByText('Is it the certificate?').isVisible()).toBe(false);
    await folded.locator('summary').press('Enter');
    await page.getByText('Is it the certificate?').waitFor();
    model.think('On Monday it was replaced.');
    await page.getByText('On Monday it was replaced.').waitFor();
    model.say('It was replaced on Monday.');
    model.end();
    await folded.getByText(/^Thought for/).waitFor();
    expect(await page.getByText('On Monday it was replaced.').isVisible()).toBe(true);
    await page.reload();
    await folded.getByText(/^Thought for/).waitFor();
    await page.getByText('It was replaced on Monday.').waitFor();
    expect(await page.getByText('On Monday it was replaced.').isVisible()).toBe(false);
    await folded.locator('summary').press('Enter');
    await page.getByText('On Monday it was replaced.').waitFor();
  });

  test('an empty one says so', async () => {
    await ask();
    model.end();
    await page.getByText('The model returned no text.').waitFor();
    expect(await page.getByRole('button', { name: 'Ask again' }).isEnabled()).toBe(true);
  });

  test('a citation stands on the line of its word, however wide the page is', async () => {
    await show(cited.repeat(4));
    await page.locator('.md-tied button').nth(7).waitFor();
    for (let width = 330; width < 700; width += 7) {
      await page.setViewportSize({ width, height: 800 });
      const apart = await page
        .locator('.md-tied')
        .evaluateAll((all) => all.filter((tied) => tied.getClientRects().length > 1));
      expect(apart).toHaveLength(0);
    }
    expect(await page.locator('.md-tied button').count()).toBe(8);
  });

  test('tables and code scroll by themselves, words run in their own direction, and nothing complains', async () => {
    await page.setViewportSize({ width: 360, height: 800 });
    await show(`${arabic}\n\nEnglish.\n\n${table}\n\n${code}`);
    await page.locator('code .md-word').first().waitFor();
    for (const box of ['.md-table', 'pre'])
      expect(await page.locator(box).evaluate((element) => element.scrollWidth > element.clientWidth)).toBe(true);
    expect(await page.locator('html').evaluate((root) => root.scrollWidth <= root.clientWidth)).toBe(true);
    const lineOf = (name: string) =>
      page.getByRole('cell', { name }).evaluate((cell) => cell.getBoundingClientRect().height);
    expect(await lineOf('ResponsibleResponsible')).toBeLessThan(40);
    const directions = await page
      .locator('article p')
      .evaluateAll((all) => all.map((paragraph) => (paragraph.matches(':dir(rtl)') ? 'rtl' : 'ltr')));
    expect(directions).toEqual(['rtl', 'ltr']);
    expect(person.complaints).toEqual([]);
  });
}
