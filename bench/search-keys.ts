// Measures how long messages of earlier versions take to get the keys of search operators in an embedded installation, with
// CPU and disk. The messages are copied into the stopped store: asking for each takes days.
import { startEmbeddedMongo } from '@parley/embedded-mongo';
import { newId } from '@parley/platform/ids';
import { searchKeys } from '@parley/platform/text';
import type { OrgId } from '@parley/protocol';
import { ParleyClient } from '@parley/testing/client';
import mongoose from 'mongoose';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { inFolder, startProduct } from './embedded.ts';
import { searchKeysBudgets } from './imports-budgets.ts';
import { cpuSecondsOf, wait } from './product.ts';
import { Report } from './report.ts';
import { numbersFrom, texts } from './words.ts';

const messagesPerChat = 100;
const insertedAtOnce = 1_000;
/** The time between two messages. */
const apartMs = 1_000;
const person = { name: 'Bench', email: 'bench@example.com', password: 'three quiet herons' };
const megabyte = 1_000_000;

/** `npm run bench -- --search-keys --messages 1000000` */
export const benchSearchKeys = (messages: number) => (interruption: Promise<never>) =>
  inFolder((folder) => Promise.race([measure(folder, messages), interruption]));

async function measure(folder: string, messages: number): Promise<void> {
  const report = new Report(searchKeysBudgets);
  const orgId = await askOnce(folder);
  await addOldMessages(folder, messages);
  const before = megabytesOf(folder);
  const product = await startProduct({ folder, environment: {} });
  try {
    const owner = new ParleyClient(product.url);
    await owner.signIn(person.email, person.password);
    owner.orgId = orgId;
    const isFilling = async () =>
      (await owner.call('GET /api/chat/search', { query: { q: 'from:me', limit: 1 } })).isFilling === true;
    if (!(await isFilling())) throw new Error('The job that gives messages their keys is not under way.');
    const [begunAt, cpu] = [performance.now(), cpuSecondsOf(product.pid)];
    while (await isFilling()) await wait(5_000);
    report.add('messages that get the keys', messages);
    report.add('until all have them', (performance.now() - begunAt) / 60_000);
    report.add('CPU', (cpuSecondsOf(product.pid) - cpu) / 60);
  } finally {
    await product.close();
  }
  report.add('disk before', before);
  report.add('disk of the keys', megabytesOf(folder) - before);
  report.print();
  report.write('latest-search-keys.json');
}

async function askOnce(folder: string): Promise<OrgId> {
  const product = await startProduct({ folder, environment: {} });
  try {
    const owner = new ParleyClient(product.url);
    await owner.register(person);
    await owner.createOrganisation('Bench');
    await owner.send(newId('conversation'), 'When do herons come?');
    return owner.orgId!;
  } finally {
    await product.close();
  }
}

/** Copies a question into chats of their own, as version 0.3.0 wrote it, and queues the job as its update does. */
async function addOldMessages(folder: string, count: number): Promise<void> {
  const store = await startEmbeddedMongo({ file: join(folder, 'store.sqlite') });
  const connection = await mongoose.createConnection(store.uri('parley_chat')).asPromise();
  const messages = connection.collection('messages');
  const [template] = await messages.find({ role: 'person' }).toArray();
  const textOf = texts(numbersFrom(1));
  const now = Date.now();
  let conversationId = '';
  for (let done = 0; done < count; done += insertedAtOnce) {
    const rows = Array.from({ length: Math.min(insertedAtOnce, count - done) }, (_unused, at) => {
      const position = (done + at) % messagesPerChat;
      if (position === 0) conversationId = newId('conversation');
      const text = textOf();
      const createdAt = new Date(now - (count - done - at) * apartMs);
      const own = { _id: newId('message') as never, conversationId, position, sequence: position, createdAt };
      return { ...template, ...own, text, searchKeys: searchKeys(text) };
    });
    await messages.insertMany(rows);
  }
  const kind = 'fill-search-keys';
  const due = { state: 'later', part: '', dueAt: new Date(0), holder: null, attempts: 0, isWantedAgain: false };
  const job = { _id: `${kind}/all` as never, kind, orgId: null, person: '', input: { after: null }, ...due };
  await connection.collection('jobs').insertOne({ ...job, progress: null, cause: null });
  await connection.close();
  await store.close();
}

const megabytesOf = (folder: string): number =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0) / megabyte;
