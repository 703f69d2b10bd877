import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { ConversationId } from '@parley/contracts';
import { newId } from '@parley/platform/ids';
import { describeSkipped, eventually } from '@parley/testing';
import { ParleyClient } from '@parley/testing/client';
import type { Browser, Page } from 'playwright-core';
import { newBrowserFor, noBrowser, openBrowser } from './browser.ts';
import type { Account, Product } from './edition.ts';
import { embeddedEdition } from './embedded-edition.ts';
import { signIn } from './sign-in.ts';

const reader: Account = { name: 'Ines Vardale', email: 'ines@example.com', password: 'three quiet herons' };
/** More than one page of 50 messages. */
const questions = 60;
const pageSize = 50;
/** Counts the messages on the open path of the branched chat. */
const trunk = 1_000;
const branches = 40;
const perBranch = 50;
const older = /\/path\?.*before=/;

if (noBrowser) describeSkipped('a long conversation', noBrowser);
else describe('a long conversation', defineSuite);

function defineSuite(): void {
  let product: Product;
  let browser: Browser;
  let conversationId: ConversationId;
  let branched: ConversationId;

  beforeAll(async () => {
    product = await embeddedEdition.start({ PARLEY_REGISTRATION: 'open' });
    browser = await openBrowser();
    const client = new ParleyClient(product.url);
    conversationId = await fill(client);
    branched = await importBranched(client);
  }, 180_000);
  afterAll(async () => {
    await browser?.close();
    await product?.close();
  });

  test.each([
    ['near the top', 1_280, 300],
    ['at the very top', 1_280, 0],
    ['near the top of a narrow screen', 360, 300],
  ])('what is read stays in place when older messages come, %s', async (_where, width, fromTop) => {
    const { context, page, complaints } = await newBrowserFor(browser, { width });
    await page.goto(`${product.url}/en`);
    await signIn(page, reader);
    await page.getByRole('textbox', { name: 'Message' }).waitFor();
    const release = await holdBack(page);
    await page.goto(`${product.url}/en/chat/${conversationId}`);
    await page.getByRole('article').last().waitFor();
    const x = await middleOf(page);
    await scrollUp(page, x, fromTop);
    await page.getByText('More is loading').waitFor();
    const read = await inView(page, x);
    release();
    await eventually(
      async () => expect(await page.getByRole('article').count()).toBeGreaterThan(pageSize),
      'older messages should come',
    );
    // Neither at once nor when what came has been laid out.
    for (const settled of [0, 300, 600]) {
      await page.waitForTimeout(settled);
      expect(Math.abs((await topOf(page, read.id)) - read.top)).toBeLessThanOrEqual(2);
    }
    expect(complaints).toEqual([]);
    await context.close();
  });

  test('a chat of 3,000 messages with 40 branches keeps at most 150 in the page of a slow device while its reader scrolls up', async () => {
    const { context, page, complaints } = await newBrowserFor(browser);
    const device = await context.newCDPSession(page);
    await device.send('Emulation.setCPUThrottlingRate', { rate: 4 });
    await page.goto(`${product.url}/en`);
    await signIn(page, reader);
    await page.getByRole('textbox', { name: 'Message' }).waitFor();
    await page.goto(`${product.url}/en/chat/${branched}`);
    const end = page.getByText(`Said as ${trunk}.`, { exact: true });
    await end.waitFor();
    const oldest = async () => Number(/Said as (\d+)\./.exec((await page.getByRole('log').textContent()) ?? '')?.[1]);
    await page.mouse.move(await middleOf(page), 400);
    let most = 0;
    await eventually(
      async () => {
        await page.mouse.wheel(0, -1_500);
        await page.waitForTimeout(50);
        most = Math.max(most, await page.getByRole('article').count());
        expect(await oldest()).toBeLessThanOrEqual(trunk - 400);
      },
      'four hundred messages should go by',
      90_000,
    );
    expect(most).toBeGreaterThan(pageSize);
    expect(most).toBeLessThanOrEqual(150);
    expect(await end.count()).toBe(0);
    await page.getByRole('button', { name: 'To the newest message' }).click();
    await end.waitFor();
    expect(complaints).toEqual([]);
    await context.close();
  });
}

async function fill(client: ParleyClient): Promise<ConversationId> {
  await client.register(reader);
  await client.createOrganisation('Lindmoor Energy');
  const conversationId = newId('conversation');
  for (let asked = 1; asked <= questions; asked += 1) {
    await client.send(
      conversationId,
      `What can you do, the ${asked}th time? ${'Say it at length. '.repeat(asked % 7)}`,
    );
    await eventually(
      async () => expect((await client.messages(conversationId)).items.at(-1)?.generation?.status).toBe('done'),
      'the answer should end',
    );
  }
  return conversationId;
}

/** Has a path of 1,000 messages, from which 40 branches leave. */
async function importBranched(client: ParleyClient): Promise<ConversationId> {
  const mapping: Record<string, object> = {};
  const say = (id: string, parent: string | null, at: number) => {
    const role = at % 2 ? 'user' : 'assistant';
    const content = { content_type: 'text', parts: [`Said as ${id}.`] };
    mapping[id] = { id, parent, message: { author: { role }, content, create_time: 1_700_000_000 + at } };
  };
  for (let at = 1; at <= trunk; at += 1) say(`${at}`, at === 1 ? null : `${at - 1}`, at);
  for (let branch = 1; branch <= branches; branch += 1)
    for (let at = 1; at <= perBranch; at += 1) {
      const from = branch * 20;
      say(`${branch}/${at}`, at === 1 ? `${from}` : `${branch}/${at - 1}`, from + at);
    }
  const chat = { id: 'long', title: 'Long', current_node: `${trunk}`, mapping };
  const bytes = new TextEncoder().encode(JSON.stringify([chat]));
  const importId = newId('import');
  const params = { importId };
  const until = (status: string) =>
    eventually(
      async () => expect(await client.call('GET /api/chat/imports/:importId', { params })).toMatchObject({ status }),
      `the import should be ${status}`,
      90_000,
    );
  await client.call('POST /api/chat/imports', {
    body: { id: importId, files: [{ name: 'chats.json', bytes: bytes.length }] },
  });
  await client.sendImportPart({ importId, number: 1, part: 1 }, bytes);
  await client.call('POST /api/chat/imports/:importId/check', { params });
  await until('checked');
  await client.call('POST /api/chat/imports/:importId/start', { params, body: { again: false } });
  await until('done');
  return (await client.conversations()).find(({ title }) => title === 'Long')!.id;
}

/** Older messages wait until they are released. */
async function holdBack(page: Page): Promise<() => void> {
  let release = (): void => undefined;
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route(older, async (route) => {
    await released;
    await route.continue();
  });
  return release;
}

/** As a reader does, by the wheel, until so little is left above. */
async function scrollUp(page: Page, x: number, fromTop: number): Promise<void> {
  await page.mouse.move(x, 400);
  const left = () => page.evaluate<number>("document.querySelector('[role=log]').parentElement.scrollTop");
  await eventually(
    async () => {
      await page.mouse.wheel(0, -Math.min(400, (await left()) - fromTop));
      await page.waitForTimeout(50);
      expect(Math.abs((await left()) - fromTop)).toBeLessThanOrEqual(1);
    },
    'the top should be reached',
    90_000,
  );
}

async function middleOf(page: Page): Promise<number> {
  const box = await page.getByRole('log').boundingBox();
  return box!.x + box!.width / 2;
}

const inView = (page: Page, x: number): Promise<{ id: string; top: number }> =>
  page.evaluate(
    `(() => { const { id } = document.elementFromPoint(${x}, 400).closest('article'); return { id, top: document.getElementById(id).getBoundingClientRect().top }; })()`,
  );
const topOf = (page: Page, id: string): Promise<number> =>
  page.evaluate(`document.getElementById(${JSON.stringify(id)}).getBoundingClientRect().top`);
