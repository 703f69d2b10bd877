import { beforeAll, beforeEach, expect, test } from '@jest/globals';
import { testStore } from '@parley/testing';
import { jobScope } from '../../rows/mongo/index.ts';
import { outboxShardRows, shardCount } from './outbox.collection.ts';
import { ShardLeases } from './shard-leases.ts';

const { mongo, ready } = await testStore();
const rows = mongo.rows(outboxShardRows).within(jobScope('tests'));
beforeAll(ready);
beforeEach(async () => void (await rows.deleteMany({})));

/** Starts a relay, and records the shards of its callback. */
function aRelay(leaseMs: number) {
  const taken: number[] = [];
  const leases = new ShardLeases({ mongo, leaseMs, taken: (shard) => void taken.push(shard) });
  return { leases, taken };
}

test('takes an expired lease again and doesn’t renew it, because another relay can have published meanwhile', async () => {
  const { leases, taken } = aRelay(60_000);
  expect((await leases.current()).size).toBe(shardCount);
  expect(taken).toHaveLength(shardCount);
  await rows.updateMany({ _id: { $lt: 3 } }, { $set: { leaseUntil: new Date(0) } });
  // Makes the relay renew, because half of the lease's time is over.
  Object.assign(leases, { heldUntil: 0 });
  expect((await leases.current()).size).toBe(shardCount);
  expect(taken.slice(shardCount)).toEqual([0, 1, 2]);
  const fences = (await rows.find({ _id: { $lt: 5 } }, { sort: { _id: 1 } })).map(({ fence }) => fence);
  expect(fences).toEqual([2, 2, 2, 1, 1]);
});

test('a shard that a relay gives back is free immediately for another one', async () => {
  const [one, other] = [aRelay(60_000), aRelay(60_000)];
  await one.leases.current();
  await one.leases.release();
  const held = await other.leases.current();
  expect(held.size).toBe(shardCount);
  expect(one.leases.stillHolds()).toBe(false);
});
