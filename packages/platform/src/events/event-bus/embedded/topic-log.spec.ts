import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { topics } from '@parley/contracts';
import { anOrgId, testStore, updatesOf } from '@parley/testing';
import { Mongo } from '../../../rows/mongo/index.ts';
import { logRows, logScope } from './log.collection.ts';
import { TopicLog, type Stretch } from './topic-log.ts';

const { mongo, ready } = await testStore();
const rows = mongo.rows(logRows).within(logScope);
let log: TopicLog;
let wakes: number;

const open = (on: Mongo = mongo): Promise<TopicLog> => TopicLog.open(topics.org, on, () => void (wakes += 1));
beforeEach(async () => {
  await ready();
  await rows.deleteMany({});
  await mongo.connection.collection('topic_heads').deleteMany({});
  wakes = 0;
  log = await open();
});
afterEach(() => log.saveHead());

/** Takes offsets for events and inserts them, like a transaction that commits. */
async function taken(count: number): Promise<Stretch> {
  const stretch = log.take(updatesOf(anOrgId(), count));
  await rows.insertMany(stretch.rows);
  return stretch;
}
const offsets = async (after = 0, limit = 100_000): Promise<number[]> =>
  (await log.read(after, limit)).map(({ offset }) => offset);

test('a record is read when all transactions with lower offsets have ended', async () => {
  const [first, second, third] = [await taken(2), await taken(1), await taken(1)];
  log.end(third, 'committed');
  log.end(second, 'committed');
  expect([await offsets(), log.head, wakes]).toEqual([[], 0, 0]);
  log.end(first, 'committed');
  expect([await offsets(), log.head, wakes]).toEqual([[1, 2, 3, 4], 4, 1]);
});

test('skips offsets of an aborted transaction, and the head is always a record', async () => {
  const [first, second, third] = [await taken(1), log.take(updatesOf(anOrgId(), 3)), await taken(1)];
  log.end(first, 'committed');
  log.end(third, 'committed');
  expect([await offsets(), log.head]).toEqual([[1], 1]);
  log.end(second, 'aborted');
  expect([await offsets(), await offsets(1), await offsets(3), await offsets(5)]).toEqual([[1, 5], [5], [5], []]);
  log.end(log.take(updatesOf(anOrgId(), 1)), 'aborted');
  expect([log.head, wakes]).toEqual([5, 2]);
});

test('assigns the offsets after the newest record again after a restart', async () => {
  log.end(await taken(2), 'committed');
  log.end(log.take(updatesOf(anOrgId(), 5)), 'aborted');
  log = await open();
  expect([log.head, log.take(updatesOf(anOrgId(), 1)).rows.map(({ offset }) => offset)]).toEqual([2, [3]]);
});

test('an unknown outcome of a transaction keeps readers waiting until the store says how it ended', async () => {
  const [committed, aborted, last] = [await taken(2), log.take(updatesOf(anOrgId(), 1)), await taken(1)];
  log.end(committed, 'unknown');
  log.end(aborted, 'unknown');
  log.end(last, 'committed');
  expect(await offsets()).toEqual([]);
  await log.findOut();
  expect(await offsets()).toEqual([1, 2, 4]);
});

test('reads records from memory or from the store without a gap between the two', async () => {
  const all: number[] = [];
  for (let batch = 0; batch < 12; batch += 1) {
    const stretch = await taken(200);
    log.end(stretch, 'committed');
    all.push(...stretch.rows.map(({ offset }) => offset));
    log.end(log.take(updatesOf(anOrgId(), 7)), 'aborted');
  }
  const read: number[] = [];
  for (let page = await offsets(0, 150); page.length > 0; page = await offsets(page.at(-1), 150)) read.push(...page);
  expect(read).toEqual(all);
});
