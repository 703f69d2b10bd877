import { beforeAll, describe, expect, test } from '@jest/globals';
import type { ConversationId, MessageId } from '@parley/contracts';
import { newId } from '@parley/platform/ids';
import { countCommands } from '@parley/testing';
import { chatBench } from '../../testing/chat-bench.spec-setup.ts';
import { ReadingPlaces, standingsOf, type Viewer } from '../../conversations/index.ts';
import { aViewer } from '../../testing/viewer.spec-setup.ts';
import { PathsService } from './paths.service.ts';
import { ShownMessages } from './shown-messages.ts';

const bench = await chatBench();
const { mongo, access, open, paths, messages, generations, work } = bench;
const reading = new ReadingPlaces(mongo);
const service = new PathsService(access, open, paths, messages, new ShownMessages(generations), reading, work);
beforeAll(bench.ready);

const branches = 40;
const perBranch = 75;

/**
 * Creates 40 branches of 75 messages, each beginning at a message of the previous branch. The test's store refuses to
 * read much more than it returns.
 */
async function aLongTalk(viewer: Viewer) {
  const { conversation, answer } = await bench.ask(viewer, { text: 'first' });
  await bench.end(viewer, { answer });
  const conversationId = conversation.id;
  const known = (await paths.all(viewer.scope, conversationId)).toSorted((one, other) => one.position - other.position);
  const added: { _id: MessageId; parentId: MessageId; position: number }[] = [];
  let parentId = answer.id;
  for (let branch = 0; branch < branches; branch += 1)
    for (let at = 0; at < perBranch; at += 1) {
      // Begin the next branch in the middle of this one.
      const from = at === 0 && branch > 0 ? added[(branch - 1) * perBranch + 37]!._id : parentId;
      added.push({ _id: newId('message'), parentId: from, position: 3 + branch * perBranch + at });
      parentId = added.at(-1)!._id;
    }
  const { standings, lastRun } = standingsOf([...known, ...added], null);
  const rows = mongo.connection.collection('messages');
  const shared = { orgId: viewer.scope.orgId, conversationId, text: 'heron', createdAt: new Date(), author: null };
  const made = added.map((message) => ({
    ...shared,
    ...message,
    ...standings.get(message._id),
    sequence: message.position,
    role: message.position % 2 ? 'person' : 'assistant',
    generationId: null,
    searchScope: 'x',
    searchKeys: [],
  }));
  for (let at = 0; at < made.length; at += 500) await rows.insertMany(made.slice(at, at + 500) as never);
  const lastPosition = 2 + added.length;
  await mongo.connection
    .collection('conversations')
    .updateOne({ _id: conversationId } as never, { $set: { lastRun, lastPosition } });
  return {
    conversationId,
    last: added.at(-1)!._id,
    middle: added[perBranch]!._id,
    first: added[0]!._id,
    early: added[perBranch - 1]!._id,
  };
}
const list = (viewer: Viewer, conversationId: ConversationId, query: object) =>
  service.list({ ...viewer, params: { conversationId }, query: { limit: 50, ...query } } as never);

describe('a conversation of 3,000 messages with 40 branches', () => {
  test('reads a long conversation page by page like any other, with a few commands each', async () => {
    const viewer = aViewer();
    const { conversationId, last } = await aLongTalk(viewer);
    let before: number | undefined;
    let read = 0;
    for (;;) {
      let page: Awaited<ReturnType<typeof list>> | undefined;
      const commands = await countCommands(async () => {
        page = await list(viewer, conversationId, { leaf: last, before });
      }, ['conversations', 'messages', 'reading_places']);
      expect(commands).toBeGreaterThan(0);
      expect(commands).toBeLessThan(12);
      read += page!.items.length;
      before = page!.items[0]?.depth;
      if (!page!.hasOlder) break;
    }
    expect(read).toBe(2 + (branches - 1) * 38 + perBranch);
  });

  test('opens a branch by any of its messages', async () => {
    const viewer = aViewer();
    const { conversationId, first, middle, early, last } = await aLongTalk(viewer);
    for (const through of [first, middle, last]) {
      const { items, leafId } = await list(viewer, conversationId, { through });
      expect(items.at(-1)?.id).toBe(leafId);
      expect(leafId).toBe(last);
    }
    expect(await list(viewer, conversationId, { through: early })).toMatchObject({ leafId: early });
  });
});
