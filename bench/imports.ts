// How long an export of 100,000 messages in 3,000 chats takes to be checked and imported, what memory that takes, and how
// long other people wait for the first token meanwhile.
import { importPartBytes, type ChatImport, type ImportId } from '@parley/contracts';
import { newId } from '@parley/platform/ids';
import { firstToken, type ParleyClient } from '@parley/testing/client';
import { anOwner, longestWait } from './documents.ts';
import { inFolder, startProduct, type EmbeddedProduct } from './embedded.ts';
import { peakOf } from './files.ts';
import { startFloors } from './floors.ts';
import { importsBudgets } from './imports-budgets.ts';
import { wait } from './product.ts';
import { Report } from './report.ts';

const chatCount = 3_000;
const messageCount = 100_000;
const wordsPerMessage = 60;
/** Stands in each message. */
const everywhere = 'heronry';

export async function benchImports(interruption: Promise<never>): Promise<void> {
  const floors = await startFloors();
  try {
    await inFolder(async (folder) => {
      const product = await startProduct({ folder, environment: { PARLEY_OUTBOUND_ALLOW: floors.modelAddress } });
      try {
        await Promise.race([measure(product), interruption]);
      } finally {
        await product.close();
      }
    });
  } finally {
    await floors.close();
  }
}

async function measure(product: EmbeddedProduct): Promise<void> {
  const report = new Report(importsBudgets);
  const content = anExport();
  const owner = await anOwner(product.url);
  const others = await anOwner(product.url);
  await wait(2_000);
  const memory = peakOf(product.pid);
  const waiting = longestWait(await anOwner(product.url));
  let begun = performance.now();
  const importId = await upload(owner, content);
  report.add('size of the export', content.length / 1_000_000);
  report.add('upload of the export', (performance.now() - begun) / 1_000);
  begun = performance.now();
  const tokens = firstTokens(others);
  await owner.call('POST /api/chat/imports/:importId/check', { params: { importId } });
  await until(owner, importId, 'checked');
  report.add('check of 100,000 messages in 3,000 chats', (performance.now() - begun) / 1_000);
  begun = performance.now();
  await owner.call('POST /api/chat/imports/:importId/start', { params: { importId }, body: { again: false } });
  const { imported } = await until(owner, importId, 'done');
  report.add('import of 100,000 messages in 3,000 chats', (performance.now() - begun) / 1_000);
  if (imported.messages !== messageCount) throw new Error(`Only ${imported.messages} messages were imported.`);
  const waits = (await tokens.end()).toSorted((one, other) => one - other);
  report.add('memory that takes at most', memory.end());
  report.add('first token of another person meanwhile, p95', waits[Math.floor(waits.length * 0.95)] ?? 0);
  report.add('first token of another person meanwhile, longest', waits.at(-1) ?? 0);
  report.add('longest wait for a list meanwhile', await waiting.end());
  const { pages, firstMs, seconds } = await searchOutside(owner);
  report.add('first page of a search in a project that has none of them', firstMs);
  report.add('all pages of that search', seconds);
  report.add('pages of that search', pages);
  report.print();
  report.write('latest-imports.json');
}

/** Searches for a word that all messages have in a project without chats, to the last page. */
async function searchOutside(owner: ParleyClient) {
  await owner.call('POST /api/chat/projects', { body: { id: newId('project'), name: 'Empty' } });
  const begun = performance.now();
  let [pages, firstMs] = [0, 0];
  let cursor: string | null = null;
  do {
    const query = { q: `${everywhere} in:Empty`, limit: 20, ...(cursor !== null && { cursor }) };
    const found: { nextCursor: string | null } = await owner.call('GET /api/chat/search', { query });
    cursor = found.nextCursor;
    pages += 1;
    firstMs ||= performance.now() - begun;
  } while (cursor !== null);
  return { pages, firstMs, seconds: (performance.now() - begun) / 1_000 };
}

/** Asks once a second; `end` returns how long each answer took to begin, in ms. */
function firstTokens(person: ParleyClient): { end(): Promise<number[]> } {
  const socket = person.socket();
  const waits: number[] = [];
  let isOver = false;
  const asking = (async () => {
    while (!isOver) {
      const begun = performance.now();
      await firstToken(person, socket, { text: 'When do herons come?', withinMs: 60_000 });
      waits.push(performance.now() - begun);
      await wait(1_000);
    }
  })();
  return {
    async end() {
      isOver = true;
      await asking;
      socket.close();
      return waits;
    },
  };
}

async function upload(owner: ParleyClient, content: Buffer): Promise<ImportId> {
  const importId = newId('import');
  const files = [{ name: 'conversations.json', bytes: content.length }];
  await owner.call('POST /api/chat/imports', { body: { id: importId, files } });
  for (let part = 1; (part - 1) * importPartBytes < content.length; part += 1) {
    const bytes = content.subarray((part - 1) * importPartBytes, part * importPartBytes);
    await owner.sendImportPart({ importId, number: 1, part }, new Uint8Array(bytes));
  }
  return importId;
}

async function until(owner: ParleyClient, importId: ImportId, wanted: ChatImport['status']): Promise<ChatImport> {
  for (;;) {
    const found = await owner.call('GET /api/chat/imports/:importId', { params: { importId } });
    if (found.status === wanted) return found;
    if (found.status === 'failed') throw new Error(`The import failed: ${found.failure}`);
    await wait(200);
  }
}

/** As ChatGPT writes it, with words of which each chat has some of its own. */
function anExport(): Buffer {
  let left = messageCount;
  const chats = Array.from({ length: chatCount }, (_unused, chat) => {
    const pairs = Math.round(left / (chatCount - chat) / 2);
    const count = chat === chatCount - 1 ? left : Math.min(left, pairs * 2);
    left -= count;
    return aChat(chat, count);
  });
  return Buffer.from(JSON.stringify(chats));
}

function aChat(chat: number, count: number) {
  const idOf = (at: number) => `m${chat}-${at}`;
  const nodes = Array.from({ length: count }, (_unused, at) => [
    idOf(at),
    {
      id: idOf(at),
      parent: at === 0 ? null : idOf(at - 1),
      children: at === count - 1 ? [] : [idOf(at + 1)],
      message: {
        id: idOf(at),
        author: { role: at % 2 === 0 ? 'user' : 'assistant' },
        create_time: 1_700_000_000 + chat * 1_000 + at,
        content: { content_type: 'text', parts: [textOf(chat * 7 + at)] },
      },
    },
  ]);
  const times = { create_time: 1_700_000_000 + chat * 1_000, update_time: 1_700_000_900 + chat * 1_000 };
  return {
    title: `Chat ${chat}`,
    conversation_id: `c${chat}`,
    ...times,
    current_node: idOf(count - 1),
    mapping: Object.fromEntries(nodes) as object,
  };
}

const textOf = (seed: number): string =>
  `${everywhere} ${Array.from({ length: wordsPerMessage }, (_unused, at) => `word${(seed * 31 + at * at * 17) % 4_000}`).join(' ')}`;
