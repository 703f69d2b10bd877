import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { ChatbotId, Message } from '@parley/contracts';
import type { UserId } from '@parley/protocol';
import { newId } from '@parley/platform/ids';
import { eventually } from '@parley/testing';
import { ParleyClient } from '@parley/testing/client';
import type { Browser, Page } from 'playwright-core';
import { ines, joinByLink, noor } from './accounts.ts';
import { newBrowserFor, openBrowser, type Person } from './browser.ts';
import type { Account, Edition, Product } from './edition.ts';
import { startObedientModel, startSite, type ObedientModel } from './mending-scene.ts';
import { signIn } from './sign-in.ts';

/** A member like Noor, whom nobody has let read the wiki. */
const odo: Account = { name: 'Odo Brenning', email: 'odo@example.com', password: 'three quiet herons' };
const question = 'How many days of paid leave do I get, and can I carry them over?';
const complaint = 'It does not say whether they can be carried over.';
const [oldAnswer, newAnswer] = ['You have 28 days a year', 'Up to 5 of them stay until 31 March'];

/** A chatbot over a web site whose answer is rated down, mended, tried beside the old one and asked for again. */
export function defineMending(edition: Edition): void {
  let product: Product;
  let model: ObedientModel;
  let site: Awaited<ReturnType<typeof startSite>>;
  let browser: Browser;
  let owner: ParleyClient;
  let outsider: ParleyClient;
  let reader: UserId;
  let admin: Person;
  let asker: Person;
  beforeAll(async () => {
    [model, site] = [await startObedientModel(), await startSite()];
    product = await edition.start({
      PARLEY_REGISTRATION: 'open',
      PARLEY_OUTBOUND_ALLOW: `${model.address},${site.address}`,
    });
    owner = new ParleyClient(product.url);
    await owner.register(ines);
    await owner.createOrganisation('Lindmoor');
    const [member, other] = [new ParleyClient(product.url), new ParleyClient(product.url)];
    ({ id: reader } = await member.register(noor));
    await joinByLink(owner, member);
    await other.register(odo);
    await joinByLink(owner, other);
    outsider = other;
    const plain = { name: 'Plain', models: ['plain-1'], defaultModel: 'plain-1', isDefault: true };
    const body = { id: newId('provider'), baseUrl: `http://${model.address}/v1`, ...plain };
    await owner.call('POST /api/chat/providers', { body });
    browser = await openBrowser();
    [admin, asker] = [await newBrowserFor(browser), await newBrowserFor(browser)];
    for (const [{ page }, account] of [[admin, ines] as const, [asker, noor] as const]) {
      await page.goto(`${product.url}/en`);
      await signIn(page, account);
      await page.getByRole('textbox', { name: 'Message' }).waitFor();
    }
  }, 180_000);
  afterAll(async () => {
    await browser?.close();
    await product?.close();
    model?.close();
    site?.close();
  });

  const settings = (name: string) => admin.page.goto(`${product.url}/en/settings/${name}`);
  const instruct = async (words: string) => {
    await admin.page.getByRole('textbox', { name: 'Instructions' }).fill(words);
    await admin.page
      .getByRole('status')
      .getByText(/^Saved/)
      .waitFor();
  };
  const publish = async (version: number) => {
    const { page } = admin;
    await page.getByRole('button', { name: 'Publish', exact: true }).click();
    await page.getByRole('button', { name: `Publish version ${version}` }).click();
    await page.getByText(`Version ${version} is live`).waitFor();
  };
  const ask = async (page: Page) => {
    await page.getByRole('textbox', { name: 'Message' }).fill(question);
    await page.keyboard.press('Enter');
  };

  test('a chatbot is made from a template, and nobody can use it yet', async () => {
    const { page } = admin;
    await settings('aiStudio-chatbot-settings');
    await page.getByRole('button', { name: /^Handbook/ }).click();
    await instruct('Answer in one sentence.');
    const { items } = await owner.call('GET /api/chat/chatbots');
    expect(items.map(({ isDefault }) => isDefault)).toEqual([true]);
  });

  test('a web site is connected for two people, and its pages come in while the page is open', async () => {
    const { page } = admin;
    await settings('data-connections');
    await page.getByRole('button', { name: 'Add connection' }).click();
    await page.getByLabel('Name', { exact: true }).fill('Wiki');
    await page.getByLabel('Address', { exact: true }).fill(`http://${site.address}/`);
    await page.getByLabel('Only some: roles, groups or people').check();
    for (const { name } of [ines, noor]) {
      await page.getByLabel('Name of a role, a group or a person').fill(name);
      await page.getByRole('button', { name: `${name} Person` }).click();
    }
    await page.getByRole('button', { name: 'Start the sync' }).click();
    await page.getByRole('heading', { name: /^Wiki/, level: 1 }).waitFor();
    for (const name of ['Lindmoor wiki', 'Paid leave', 'Travel'])
      await page.getByRole('row', { name }).getByText('Searchable').waitFor();
  });

  test('the chatbot looks into that connection alone, and is published', async () => {
    const { page } = admin;
    await settings('aiStudio-chatbot-settings');
    await page.getByRole('link', { name: 'Handbook' }).click();
    await page.getByRole('link', { name: 'Knowledge' }).click();
    await page.getByLabel('Only in some of them').check();
    await page.getByRole('checkbox', { name: /^Wiki/ }).check();
    await page
      .getByRole('status')
      .getByText(/^Saved/)
      .waitFor();
    await publish(1);
  });

  test('its answer cites the page of the site, and is rated down with a reason and the chat', async () => {
    const { page } = asker;
    await page.getByRole('button', { name: /Choose another one/ }).click();
    await page.getByRole('menuitem', { name: 'Handbook' }).click();
    await ask(page);
    await page.getByRole('article').last().getByText(oldAnswer).waitFor();
    await page.getByRole('button', { name: 'Source 1' }).click();
    const sources = page.getByRole('complementary', { name: 'Sources' });
    await sources.getByText('Paid leave').first().waitFor();
    await sources.getByText('28 days of paid leave').first().waitFor();
    await page.getByRole('button', { name: 'Close sources' }).click();
    await page.getByRole('button', { name: 'Bad answer' }).click();
    await page.getByRole('button', { name: 'Incomplete' }).click();
    await page.getByLabel('What should it say?').fill(complaint);
    await page.getByLabel('Send the chat up to this answer along').check();
    await page.getByRole('button', { name: 'Send feedback' }).click();
    await page.getByText(/^Your feedback was sent: Incomplete/).waitFor();
  });

  test('the admin reads the case, and tries mended instructions beside the version that is live', async () => {
    const { page } = admin;
    await settings('feedback');
    await page.getByRole('button', { name: complaint }).click();
    const talk = page.getByRole('region', { name: 'Conversation' });
    await talk.getByText(question).waitFor();
    await talk.getByText(oldAnswer).waitFor();
    await settings('aiStudio-chatbot-settings');
    await page.getByRole('link', { name: 'Handbook' }).click();
    await instruct('Answer in one sentence. Say always what may be carried over.');
    await page.getByRole('textbox', { name: 'Ask a question' }).fill(question);
    await page.getByRole('button', { name: 'Ask', exact: true }).click();
    await page.getByText(newAnswer).waitFor();
    await eventually(
      async () => expect(await page.getByText(oldAnswer).count()).toBe(2),
      'both versions should answer',
    );
    expect(await page.getByText(newAnswer).count()).toBe(1);
    await publish(2);
  });

  test('asked again from the case, the new version stands beside the old answer', async () => {
    const { page } = admin;
    await settings('feedback');
    await page.getByRole('button', { name: complaint }).click();
    await page.getByRole('button', { name: 'Ask today’s version' }).click();
    await page.getByRole('button', { name: 'Ask version 2' }).click();
    await page.getByRole('region', { name: 'Now' }).getByText(newAnswer).waitFor();
    const before = page.getByRole('region', { name: 'Then' });
    await before.getByText(oldAnswer).waitFor();
    expect(await before.getByText(newAnswer).count()).toBe(0);
  });

  test('the open chat says that the new version answers from here on, and gets the new answer', async () => {
    const { page } = asker;
    await ask(page);
    await page.getByText('From here on Handbook answers in version 2.').waitFor();
    await page.getByRole('article').last().getByText(newAnswer).waitFor();
    expect([admin.complaints, asker.complaints]).toEqual([[], []]);
  });
  const answerTo = async (client: ParleyClient, chatbotId: ChatbotId): Promise<Message> => {
    const conversationId = newId('conversation');
    const ids = { messageId: newId('message'), answerId: newId('message'), generationId: newId('generation') };
    await client.call('POST /api/chat/conversations/:conversationId/messages', {
      params: { conversationId },
      body: { ...ids, text: question, chatbotId },
    });
    return eventually(async () => {
      const { items } = await client.messages(conversationId);
      const answer = items.find(({ id }) => id === ids.answerId)!;
      expect(answer.generation?.status).toBe('done');
      return answer;
    }, 'the answer should end');
  };

  test('who may not read the connection gets no passage, no title and no count of it', async () => {
    const { items: connections } = await outsider.call('GET /api/chat/connections');
    expect(connections.map(({ isDefault, documents }) => [isDefault, documents.all])).toEqual([[true, 0]]);
    const documents = await outsider.call('GET /api/chat/documents');
    expect([documents.items, documents.counts]).toEqual([[], { all: 0, searchable: 0, failed: 0 }]);
    expect(await outsider.call('GET /api/chat/models')).toMatchObject({ documentCount: 0, indexedAt: null });
    const found = async (as: UserId) => owner.call('POST /api/chat/search-tests', { body: { text: question, as } });
    const { passages } = await found(reader);
    expect(passages[0]).toMatchObject({ documentName: 'Paid leave' });
    expect(await found(outsider.me!.id)).toMatchObject({ passages: [], connections: 1 });
    const { chunkId } = passages[0]!;
    const read = outsider.call('GET /api/chat/passages/:chunkId', { params: { chunkId } });
    await expect(read).rejects.toMatchObject({ status: 404 });
    const { items: messages } = await outsider.call('GET /api/chat/search', { query: { q: 'days' } });
    expect(messages).toEqual([]);
  });

  test('nor does any chatbot tell them, or the model that answers them', async () => {
    const before = model.told.length;
    const { items } = await outsider.call('GET /api/chat/chatbots');
    expect(items.map(({ name }) => name)).toContain('Handbook');
    for (const { id } of items) {
      const { text, citations } = await answerTo(outsider, id);
      expect(text).not.toMatch(/28 days|31 March|Paid leave/);
      expect(citations).toEqual([]);
    }
    // That which answers only from documents has none to ask about.
    expect(model.told.length).toBe(before + 1);
    expect(model.told.at(-1)).not.toMatch(/28 days|31 March|Paid leave|Travel|wiki/i);
  });
}
