// For how long one command holds the embedded store while a document of many thousand passages is indexed, deleted,
// restored and erased, and a chat of long questions is erased, beside another organisation that reads a list.
import { newId } from '@parley/platform/ids';
import { ParleyClient } from '@parley/testing/client';
import { createServer, type AddressInfo } from 'node:net';
import { holdsBudgets } from './budgets.ts';
import { inFolder, startProduct } from './embedded.ts';
import { percentile, wait } from './product.ts';
import { Report } from './report.ts';
import { numbersFrom, texts } from './words.ts';

const wordsPerPassage = 40;
const mostHoldMs = 50;
const longQuestions = 40;
const mostIndexingMs = 15 * 60_000;

export const benchHolds =
  (passages: number) =>
  (interruption: Promise<never>): Promise<void> =>
    inFolder(async (folder) => {
      const port = await freePort();
      const product = await startProduct({ folder, environment: { PARLEY_MANAGEMENT_PORT: String(port) } });
      try {
        await Promise.race([measure({ url: product.url, port }, passages), interruption]);
      } finally {
        await product.close();
      }
    });

async function measure({ url, port }: { readonly url: string; readonly port: number }, passages: number) {
  const report = new Report(holdsBudgets);
  const [owner, other] = [await anOwner(url), await anOwner(url)];
  const atRest = reading(other);
  await wait(5_000);
  const floor = percentile((await atRest.end()).times, 0.99);
  const { id } = await owner.upload('large.md', markdownOf(passages));
  report.add('passages of the document', await untilSearchable(owner, id));
  const beside = reading(other);
  for (const [method, ms] of [
    ['DELETE', 3_000],
    ['restore', 3_000],
    ['DELETE', 40_000],
  ] as const) {
    if (method === 'DELETE') await owner.call('DELETE /api/chat/documents/:documentId', { params: { documentId: id } });
    else await owner.call('POST /api/chat/documents/:documentId/restore', { params: { documentId: id } });
    await wait(ms);
  }
  await owner.call('POST /api/chat/documents/:documentId/erase', { params: { documentId: id } });
  await eraseLongChat(owner);
  await wait(20_000);
  const { times, refused } = await beside.end();
  const holdMs = (await longestHoldSeconds(port)) * 1_000;
  report.add('longest hold of the store by one command', holdMs);
  report.add('wait for a list beside its deletion, p99', percentile(times, 0.99), floor);
  report.add('refused meanwhile', refused);
  report.print();
  report.write('latest-holds.json');
  if (holdMs > mostHoldMs || refused > 0) throw new Error('A command holds the store for too long.');
}

/** Questions as long as they may be, of as many different words as the search keeps of one. */
async function eraseLongChat(owner: ParleyClient): Promise<void> {
  const conversationId = newId('conversation');
  const text = Array.from({ length: 1_400 }, (_, at) => `word${at.toString(36)}`).join(' ');
  for (let asked = 0; asked < longQuestions; asked += 1) {
    await owner.send(conversationId, text);
    while ((await owner.call('GET /api/chat/conversations')).items.some(({ running }) => running)) await wait(20);
  }
  const one = { params: { conversationId } };
  await owner.call('DELETE /api/chat/conversations/:conversationId', one);
  await owner.call('POST /api/chat/conversations/:conversationId/erase', one);
}

function markdownOf(passages: number): string {
  const next = texts(numbersFrom(5));
  let words: string[] = [];
  const some = () => {
    while (words.length < wordsPerPassage) words = [...words, ...next().split(' ')];
    const [taken, rest] = [words.slice(0, wordsPerPassage), words.slice(wordsPerPassage)];
    words = rest;
    return taken.join(' ');
  };
  return Array.from({ length: passages }, (_, at) => `## Part ${at}\n\n${some()}.\n`).join('\n');
}

async function anOwner(url: string): Promise<ParleyClient> {
  const owner = new ParleyClient(url);
  const email = `${newId('user').toLowerCase()}@example.com`;
  await owner.register({ name: 'Bench', email, password: 'three quiet herons' });
  await owner.createOrganisation('Bench');
  return owner;
}

async function untilSearchable(owner: ParleyClient, id: string): Promise<number> {
  for (let left = mostIndexingMs / 500; left > 0; left -= 1) {
    const { items } = await owner.call('GET /api/chat/documents');
    const document = items.find((each) => each.id === id);
    if (document?.status === 'failed') throw new Error(`The document was not read: ${document.failure}`);
    if (document?.status === 'searchable') return document.passageCount;
    await wait(500);
  }
  throw new Error('The document was not read in time.');
}

/** Fifty lists a second, one after the other. */
function reading(other: ParleyClient) {
  const times: number[] = [];
  let [isOver, refused] = [false, 0];
  const asking = (async () => {
    while (!isOver) {
      const begun = performance.now();
      await other.call('GET /api/chat/conversations').catch(() => (refused += 1));
      times.push(performance.now() - begun);
      await wait(20);
    }
  })();
  return {
    async end(): Promise<{ times: readonly number[]; refused: number }> {
      isOver = true;
      await asking;
      return { times, refused };
    },
  };
}

async function longestHoldSeconds(port: number): Promise<number> {
  const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
  return Number(/^parley_store_longest_hold_seconds\S* (\S+)$/m.exec(text)?.[1] ?? Number.NaN);
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
