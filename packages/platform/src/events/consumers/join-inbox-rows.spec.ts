import { expect, test } from '@jest/globals';
import { testStore } from '@parley/testing';
import { newId } from '../../base/ids/index.ts';
import type { InboxRow } from './consumer.collection.ts';
import { consumerStoreOf } from './consumer-store.ts';
import { joinInboxRows } from './join-inbox-rows.ts';

const { mongo, ready } = await testStore();
consumerStoreOf(mongo);
await ready();
const inbox = mongo.connection.collection<InboxRow>('event_inbox');

async function join(): Promise<void> {
  let cursor: string | null = null;
  do cursor = await joinInboxRows.batch(mongo, cursor);
  while (cursor !== null);
}

test('rows of 0.3.0 become one row per event, kept as long as before, however often a batch runs', async () => {
  const [expiring, lasting, both] = [newId('event'), newId('event'), newId('event')];
  const [early, late] = [new Date('2026-11-01T10:00:00Z'), new Date('2026-11-02T10:00:00Z')];
  await inbox.insertMany([
    { _id: `count-metrics|${expiring}`, at: early },
    { _id: `tell-outside|${expiring}`, at: late },
    { _id: `count-metrics|${lasting}` },
    { _id: `follow-answers|${both}`, at: early },
    { _id: both, consumers: ['count-metrics'], at: late },
  ]);
  await join();
  const joined = await inbox.find().toArray();
  expect(joined).toHaveLength(3);
  expect(joined).toEqual(
    expect.arrayContaining([
      { _id: expiring, consumers: ['count-metrics', 'tell-outside'], at: late },
      { _id: lasting, consumers: ['count-metrics'] },
      { _id: both, consumers: ['count-metrics', 'follow-answers'], at: late },
    ]),
  );
  // Leaves the state of a process killed between the two writes of a batch: a row of 0.3.0 is still there.
  await inbox.insertOne({ _id: `tell-outside|${expiring}`, at: late });
  await join();
  await join();
  expect((await inbox.find().toArray()).toSorted((one, other) => (one._id < other._id ? -1 : 1))).toEqual(
    joined.toSorted((one, other) => (one._id < other._id ? -1 : 1)),
  );
});
