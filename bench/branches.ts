// How soon a long chat with many branches opens, and how long its page is busy at most, beside one of as many messages
// without any: through the built product, which has asked their first questions; the others are copies in its store.
import type { ConversationId, MessageId } from '@parley/contracts';
import { startEmbeddedMongo } from '@parley/embedded-mongo';
import { newId } from '@parley/platform/ids';
import { Mongo } from '@parley/platform/mongo';
import { ParleyClient } from '@parley/testing/client';
import { join } from 'node:path';
import { noBrowser } from '../e2e/browser.ts';
import { readUp, type Seen } from './branches-page.ts';
import { branchesBudgets } from './budgets.ts';
import { inFolder, startProduct, type Place } from './embedded.ts';
import { startFloors } from './floors.ts';
import { percentile, wait } from './product.ts';
import { Report } from './report.ts';

const branches = 40;
/** Questions and answers of a branch; all of them are 3,000 messages. Half of it is odd: an answer is left. */
const perBranch = 74;
const opened = 300;
const warm = 30;
/** Of readers with a browser. */
const rounds = 3;
const batch = 500;
/** Of `place`: a run's number times this plus the depth (ADR 0042). */
const perRun = 1_000_000;
const password = 'three quiet herons';
const path = 'GET /api/chat/conversations/:conversationId/path';

type Chat = { readonly owner: ParleyClient; readonly conversationId: ConversationId };
type Row = Record<string, unknown> & { readonly _id: string };
type Rows = ReturnType<typeof Mongo.prototype.connection.collection<Row>>;

export const benchBranches = (interruption: Promise<never>): Promise<void> =>
  inFolder(async (folder) => {
    const floors = await startFloors();
    const place: Place = { folder, environment: { PARLEY_OUTBOUND_ALLOW: floors.modelAddress } };
    let product = await startProduct(place);
    try {
      const [line, tree] = [await aChat(product.url, floors.modelUrl), await aChat(product.url, floors.modelUrl)];
      await product.close();
      const early = await inStore(folder, async (mongo) => {
        await grow(mongo, line, false);
        return grow(mongo, tree, true);
      });
      product = await startProduct(place);
      await Promise.race([measure(product.url, { line, tree, early }), interruption]);
    } finally {
      await product.close();
      await floors.close();
    }
  });

type Part = (ms: readonly number[]) => number;

async function measure(url: string, { line, tree, early }: { line: Chat; tree: Chat; early: MessageId }) {
  const report = new Report(branchesBudgets);
  const [floors, times] = [newTimes(), newTimes()];
  const chats = [
    { chat: await signedIn(url, line), into: floors, through: undefined },
    { chat: await signedIn(url, tree), into: times, through: early },
  ] as const;
  for (let round = -warm; round < opened; round += 1)
    for (const { chat, into, through } of chats) await open(chat, round < 0 ? newTimes() : into, through);
  const [p50, p95] = [0.5, 0.95].map((part) => (ms: readonly number[]) => percentile(ms, part)) as [Part, Part];
  report.add('chat of 3,000 messages with 40 branches opens, p50', p50(times.newest), p50(floors.newest));
  report.add('chat of 3,000 messages with 40 branches opens, p95', p95(times.newest), p95(floors.newest));
  report.add('its first page of older messages, p50', p50(times.older), p50(floors.older));
  report.add('its oldest branch opens, p50', p50(times.oldest), p50(floors.newest));
  if (noBrowser) report.say(noBrowser.skipped);
  else await measurePages(report, url, [chats[0].chat, chats[1].chat]);
  report.print();
  report.write('latest-branches.json');
}

/** Of each chat the worst of its rounds, which take turns. */
async function measurePages(report: Report, url: string, [line, tree]: readonly [Chat, Chat]): Promise<void> {
  const [ofLine, ofTree]: [Seen[], Seen[]] = [[], []];
  for (let round = 0; round < rounds; round += 1)
    for (const [chat, into] of [
      [line, ofLine],
      [tree, ofTree],
    ] as const)
      into.push(await readUp({ url, client: chat.owner, password, conversationId: chat.conversationId }));
  const most = (all: readonly Seen[], of: keyof Seen) => Math.max(...all.map((seen) => seen[of]));
  const [task, messages] = ['longestTask', 'mostMessages'] as const;
  report.add('longest task of its page while scrolling and streaming', most(ofTree, task), most(ofLine, task));
  report.add('messages in its page at most', most(ofTree, messages), most(ofLine, messages));
}

/** One question and its answer; what is asked later is answered by the model server. */
async function aChat(url: string, modelUrl: string): Promise<Chat> {
  const owner = new ParleyClient(url);
  const email = `${newId('user').toLowerCase()}@example.com`;
  await owner.register({ name: 'Bench', email, password });
  await owner.createOrganisation('Bench');
  const model = { baseUrl: modelUrl, models: ['m'], defaultModel: 'm', isDefault: true };
  await owner.call('POST /api/chat/providers', { body: { id: newId('provider'), name: 'Mock', ...model } });
  const conversationId = newId('conversation');
  await owner.send(conversationId, 'How deep is the basin?');
  while ((await owner.conversations()).some(({ running }) => running)) await wait(20);
  return { owner, conversationId };
}

/** The same person in a product that was started again. */
async function signedIn(url: string, { owner, conversationId }: Chat): Promise<Chat> {
  const again = new ParleyClient(url);
  await again.signIn(owner.me!.email, password);
  again.orgId = owner.orgId;
  return { owner: again, conversationId };
}

async function inStore<Result>(folder: string, use: (mongo: Mongo) => Promise<Result>): Promise<Result> {
  const store = await startEmbeddedMongo({ file: join(folder, 'store.sqlite') });
  const mongo = await Mongo.connect(store.uri('parley_chat'));
  try {
    return await use(mongo);
  } finally {
    await mongo.close();
    await store.close();
  }
}

/**
 * Adds copies of its question and answer, each behind the message before; the next branch leaves one in its middle.
 * Resolves with the end of the first branch.
 */
async function grow(mongo: Mongo, { conversationId }: Chat, hasBranches: boolean): Promise<MessageId> {
  const [messages, generations] = ['messages', 'generations'].map((name) => mongo.connection.collection<Row>(name)) as [
    Rows,
    Rows,
  ];
  const rows = await messages.find({ conversationId }).sort({ position: 1 }).toArray();
  const generation = (await generations.findOne({ conversationId }))!;
  const [known, made]: [number, Row[]] = [rows.length, []];
  let lastRun = 1;
  for (let at = known; at < known + branches * perBranch; at += 1) {
    const isLeaving = hasBranches && at > known && (at - known) % perBranch === 0;
    const { _id: parentId, ...before } = rows[isLeaving ? at - perBranch / 2 : at - 1]!;
    const [place, forks] = [before['place'] as number, before['forks'] as number[]];
    if (isLeaving) lastRun += 1;
    const own = {
      _id: newId('message'),
      parentId,
      position: at + 1,
      sequence: at + 2,
      place: isLeaving ? lastRun * perRun + (place % perRun) + 1 : place + 1,
      forks: isLeaving ? [place, ...forks] : forks,
      generationId: at % 2 === 1 ? newId('generation') : null,
    };
    if (own.generationId) made.push({ ...generation, _id: own.generationId, questionId: parentId, answerId: own._id });
    const text = own.generationId ? answerText(at) : `What about feeder ${at}?`;
    rows.push({ ...rows[at % 2]!, ...own, text });
  }
  await insert(messages, rows.slice(known));
  await insert(generations, made);
  const { length: lastPosition } = rows;
  const end = { lastRun, lastPosition, sequence: lastPosition + 2 };
  const $set = { ...end, lastAnswerId: rows.at(-1)!._id };
  await mongo.connection.collection<Row>('conversations').updateOne({ _id: conversationId }, { $set });
  // Without a saved place, a reader starts at the newest message.
  await mongo.connection.collection('reading_places').deleteMany({ conversationId });
  return rows[known + perBranch - 1]!._id as MessageId;
}

async function insert(into: Rows, rows: readonly Row[]): Promise<void> {
  for (let at = 0; at < rows.length; at += batch) await into.insertMany(rows.slice(at, at + batch));
}

/** As models write: a heading, a paragraph, a table and code. */
const answerText = (at: number): string => `### Feeder ${at}

Relay 51N-${at} trips feeder ${at} at 40 A after **0.6 s**. ${'The setting has been in force since June. '.repeat(3 + (at % 5))}

| Relay | Current | Delay |
|---|---|---|
| 51N-${at} | 40 A | 0.6 s |
| 50-${at} | 400 A | 0.05 s |

\`\`\`sql
select relay, current from settings where feeder = ${at} order by current desc;
\`\`\`
`;

const newTimes = () => ({ newest: [] as number[], older: [] as number[], oldest: [] as number[] });

/** The newest page, the one before it, and the newest page of the path through an early answer. */
async function open(
  { owner, conversationId }: Chat,
  times: ReturnType<typeof newTimes>,
  through: MessageId | undefined,
): Promise<void> {
  const read = async (into: number[], query: object) => {
    const begun = performance.now();
    const page = await owner.call(path, { params: { conversationId }, query });
    into.push(performance.now() - begun);
    return page.items;
  };
  const [first] = await read(times.newest, {});
  await read(times.older, { before: first!.depth });
  if (through) await read(times.oldest, { through });
}
