import { beforeAll, expect, test } from '@jest/globals';
import type { ConversationId, MessageId } from '@parley/contracts';
import { newId } from '@parley/platform/ids';
import { treeBench } from '../testing/tree-bench.spec-setup.ts';
import { aViewer } from '../testing/viewer.spec-setup.ts';
import { MessagePaths } from './message-paths.ts';
import { OpenPaths } from './open-paths.ts';

const bench = await treeBench();
const { mongo, conversations, reading } = bench;
beforeAll(bench.ready);

/** Far more reads than the paths of the test's chats have messages. */
const mostLooks = 100;

/** Fails if reading never ends. */
class BoundedPaths extends MessagePaths {
  private looks = 0;

  override newestBehind(...given: Parameters<MessagePaths['newestBehind']>) {
    this.looks += 1;
    if (this.looks > mostLooks) throw new Error('The reading does not end.');
    return super.newestBehind(...given);
  }
}

const messageRows = () => mongo.connection.collection('messages');
const read = async (viewer: ReturnType<typeof aViewer>, id: ConversationId) => {
  const open = new OpenPaths(new BoundedPaths(mongo), reading);
  const conversation = await conversations.find(viewer.scope, id);
  return open.find(viewer, conversation!, {});
};

/** Stores a question and its answer in the form of 0.3.0, without a place in the tree. */
async function writtenByOlder(viewer: ReturnType<typeof aViewer>, conversationId: ConversationId, parentId: MessageId) {
  const [question, answer] = [newId('message'), newId('message')];
  const row = { orgId: viewer.scope.orgId, conversationId, text: 'Ahoy', createdAt: new Date() };
  await messageRows().insertMany([
    { ...row, _id: question, role: 'person', parentId, position: 3, sequence: 3 },
    { ...row, _id: answer, role: 'assistant', parentId: question, position: 4, sequence: 4 },
  ] as never);
}

test('throws an error that names the doctor for a path that an older version continued', async () => {
  const viewer = aViewer();
  const asked = await bench.ask(viewer);
  await bench.end(viewer, asked);
  await writtenByOlder(viewer, asked.conversation.id, asked.answer.id);
  await expect(read(viewer, asked.conversation.id)).rejects.toThrow('parley doctor');
});

/** Returns the same random numbers for the same seed (mulberry32). */
const random = (seed: number) => () => {
  seed = (seed + 0x6d2b79f5) | 0;
  let mixed = Math.imul(seed ^ (seed >>> 15), 1 | seed);
  mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
  return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
};

test('ends reading a path, whatever the rows', async () => {
  const failed: string[] = [];
  for (let seed = 1; seed <= 60; seed += 1) {
    const [viewer, next] = [aViewer(), random(seed)];
    const one = <Value>(values: readonly Value[]): Value => values[Math.floor(next() * values.length)]!;
    const conversationId = newId('conversation');
    const ids = Array.from({ length: 12 }, () => newId('message'));
    const place = () => one([undefined, 1, 2, 3, 7].map((depth) => depth && one([1, 2, 3]) * 1_000_000 + depth));
    await mongo.connection
      .collection('conversations')
      .insertOne({ _id: conversationId, orgId: viewer.scope.orgId, lastPosition: 12, lastRun: 3 } as never);
    await messageRows().insertMany(
      ids.map((_id, index) => ({
        _id,
        orgId: viewer.scope.orgId,
        conversationId,
        role: one(['person', 'assistant']),
        text: 'Ahoy',
        position: index + 1,
        sequence: index + 1,
        createdAt: new Date(),
        parentId: one([null, ...ids]),
        place: place(),
        forks: one([[], [place() ?? 1_000_001]]),
      })) as never,
    );
    await read(viewer, conversationId).catch((error: Error) => {
      if (!error.message.includes('parley doctor')) failed.push(`seed ${seed}: ${error.message}`);
    });
  }
  expect(failed).toEqual([]);
});
