import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { newId } from '@parley/platform/ids';
import { describeSkipped, eventually } from '@parley/testing';
import { ParleyClient } from '@parley/testing/client';
import { docxOf, pageOf, paragraph, pdfOf } from '@parley/testing/files';
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
    await client.upload('Handbook.md', '# Certificates\n\nThe certificate was replaced on Monday.');
    const pages = [
      pageOf('Leave', [['Leave is asked for in writing.']]),
      pageOf('Parking', [['The car park opens at seven.']]),
    ];
    await client.upload('Rules.pdf', new Uint8Array(pdfOf(pages)));
    const bicycles = paragraph('Bicycles', 'Heading1') + paragraph('Bicycles are kept in the yard.');
    await client.upload('Bicycles.docx', new Uint8Array(docxOf(bicycles)));
    await eventually(async () => {
      const { items } = await client.call('GET /api/chat/documents');
      return items.length === 3 && items.every(({ status }) => status === 'searchable');
    }, 'the documents are searchable');
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
  async function ask(question = 'What about the certificate?'): Promise<void> {
    await isLeft();
    const conversationId = newId('conversation');
    await client.send(conversationId, question);
    await page.goto(`${product.url}/en/chat/${conversationId}`);
    await eventually(() => model.asked === 1, 'the model is asked');
  }
  async function show(text: string, question?: string): Promise<void> {
    await ask(question);
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
    // The longer answer replaces the stopped one among the versions.
    await page.getByRole('button', { name: 'Copy answer' }).waitFor();
    await page.getByText('2 / 2', { exact: true }).waitFor({ state: 'detached' });
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
  /** Of an answer that cites it. */
  async function openSource(question: string): Promise<void> {
    await show('So it is [1].', question);
    await page.locator('.md-tied button').first().click();
    await page.getByRole('button', { name: 'Open document' }).click();
  }

  test('a cited PDF opens at its page, in a worker that reaches nothing', async () => {
    await page.setViewportSize({ width: 1280, height: 800 });
    await openSource('When does the car park open?');
    const shown = page.locator('figure[data-page="2"]', { has: page.locator('canvas') });
    await shown.waitFor();
    await page.getByText('Page 2 of 2').waitFor();
    expect(await shown.locator('canvas').evaluate(isDrawn)).toBe(true);
    const marked = shown.locator('span[class*="cited"]');
    await marked.first().waitFor();
    expect(await marked.allTextContents()).toContain('The car park opens at seven.');
    const [worker] = page.workers();
    const does = (act: string) => worker!.evaluate<boolean>(`${act}.then(() => true, () => false)`);
    expect(await does("fetch('/api/auth/me')")).toBe(false);
    expect(await does('WebAssembly.compile(new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0]))')).toBe(true);
    expect(await page.evaluate('document.scrollingElement.scrollTop')).toBe(0);
    await page.keyboard.press('Escape');
    await eventually(() => page.workers().length === 0, 'the worker has ended');
    expect(await page.getByRole('button', { name: 'Open document' }).evaluate(hasFocus)).toBe(true);
    await page.getByRole('textbox', { name: 'Message' }).fill('Is this so?');
    await page.getByRole('button', { name: 'Quote' }).click();
    const field = page.getByRole('textbox', { name: 'Message' });
    expect(await field.inputValue()).toMatch(
      /^Is this so\?\n\n> The car park opens at seven\.\n>\n> — Rules\.pdf, Page 2\n/,
    );
    expect(await field.evaluate(hasFocus)).toBe(true);
    expect(person.complaints).toEqual([]);
  });

  test('any other cited source opens as its text, on a small screen as a page, and is saved under its name', async () => {
    await page.setViewportSize({ width: 360, height: 800 });
    await openSource('Where are bicycles kept?');
    await page.getByRole('heading', { name: 'Bicycles', exact: true }).waitFor();
    expect(await page.locator('mark').textContent()).toBe('Bicycles are kept in the yard.');
    const box = await page.getByRole('complementary', { name: 'Bicycles.docx' }).boundingBox();
    expect([box?.x, box?.width]).toEqual([0, 360]);
    const saving = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download original' }).click();
    expect((await saving).suggestedFilename()).toBe('Bicycles.docx');
    expect(person.complaints).toEqual([]);
  });
}

const hasFocus = (element: { ownerDocument: { activeElement: unknown } }) =>
  element.ownerDocument.activeElement === element;

/** Whether anything but paper is there. */
function isDrawn(canvas: unknown): boolean {
  const { width, height, getContext } = canvas as {
    width: number;
    height: number;
    getContext(kind: '2d'): { getImageData(x: number, y: number, w: number, h: number): { data: Uint8ClampedArray } };
  };
  const { data } = getContext.call(canvas, '2d').getImageData(0, 0, width, height);
  return data.some((value, at) => at % 4 === 0 && value < 128);
}
