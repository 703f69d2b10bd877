import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { membershipAdded, organisationUpdated } from '@parley/contracts';
import type { OrgId, UserId } from '@parley/protocol';
import { ConsumerRuntime, type EventHandler } from '../consumers/index.ts';
import { MemoryDoorbell } from '../../ports/doorbell/index.ts';
import { newId } from '../../base/ids/index.ts';
import { collection, jobScope, Mongo } from '../../rows/mongo/index.ts';
import { z } from 'zod';
import { Outbox, writeSnapshots } from './index.ts';
import { job, originFor } from '../work/index.ts';
import {
  anOrgId,
  eventually,
  makeEmbeddedEventLog,
  OutboxBench,
  silentLogger,
  startTestStore,
  type TestStore,
} from '@parley/testing';

/** Makes more than one batch of snapshots. */
const people = 250;
let store: TestStore;
let bench: OutboxBench;
let orgId: OrgId;
let members: UserId[];
/** The database of the consuming service. */
let mongo: Mongo;
let runtime: ConsumerRuntime;

beforeAll(async () => {
  store = await startTestStore();
}, 60_000);
afterAll(() => store.close());

const countRows = collection('counts', { _id: z.string(), n: z.number() }, { tenant: 'platform' });
const scope = jobScope('tests');
const count = async (): Promise<number> => (await mongo.rows(countRows).within(scope).findById(orgId))?.n ?? 0;
const countMembers: EventHandler = {
  kind: 'effect',
  consumer: 'count-members',
  events: [membershipAdded],
  handle: ({ subject }, tx) =>
    mongo
      .rows(countRows)
      .within(scope, tx)
      .upsert({ _id: subject }, { $inc: { n: 1 } }),
};
const membershipOf = (userId: UserId) => ({ orgId, userId, role: 'member' as const, rightsVersion: 1 });
const outboxOf = (bench: OutboxBench): Outbox =>
  new Outbox({ mongo: bench.mongo, doorbell: new MemoryDoorbell(), source: 'org' });
const tellAgain = (): Promise<number> =>
  writeSnapshots({ mongo: bench.mongo, outbox: outboxOf(bench), origin: originFor(job('tests')) }, async (record) => {
    for (const userId of members) await record(membershipAdded, membershipOf(userId));
  });

beforeEach(async () => {
  bench = await OutboxBench.make(store, makeEmbeddedEventLog);
  [orgId, members] = [anOrgId(), Array.from({ length: people }, () => newId('user'))];
  await bench.startRelay();
  await bench.run(async (tx) => {
    for (const userId of members) tx.record(membershipAdded, membershipOf(userId));
  });
  mongo = await Mongo.connect(store.freshDatabase(), { link: store.link });
  const outbox = new Outbox({ mongo, doorbell: new MemoryDoorbell(), source: 'billing' });
  runtime = new ConsumerRuntime({ bus: bench.bus, mongo, outbox, group: 'billing', logger: silentLogger() });
  mongo.rows(countRows);
  await mongo.applyIndexes();
  await runtime.start([countMembers]);
  await eventually(async () => (await count()) === people, 'each membership is counted');
}, 60_000);
afterEach(async () => {
  await runtime.close();
  await mongo.close();
  await bench.close();
});

const publishedAgain = (): Promise<unknown> =>
  eventually(
    async () => (await bench.mongo.connection.collection('outbox').countDocuments({ published: false })) === 0,
    'everything is published',
  );
const caughtUp = (): Promise<unknown> =>
  eventually(async () => (await runtime.lag()) === 0, 'the consumer is up to date');

test('a consumer that handled an event ignores the event when it is republished, however late', async () => {
  expect(await tellAgain()).toBe(people);
  await publishedAgain();
  await caughtUp();
  expect(await count()).toBe(people);
  const kept = await mongo.connection.collection('event_inbox').find().toArray();
  expect([kept.length, kept.filter(({ at }) => at !== undefined)]).toEqual([people, []]);
});

test('a read model that was dropped gets the same figures again, also if events are republished twice', async () => {
  await mongo.connection.collection('counts').deleteMany({});
  await mongo.connection.collection('event_inbox').deleteMany({});
  await tellAgain();
  await tellAgain();
  await publishedAgain();
  await eventually(async () => (await count()) === people, 'each membership is counted again');
  await tellAgain();
  await publishedAgain();
  await caughtUp();
  expect(await count()).toBe(people);
});

test('a republished event is marked and takes no sequence number; events that wait to be published stay as they are', async () => {
  const outbox = bench.mongo.connection.collection<{ _id: string; sequence: number; envelope: string }>('outbox');
  await bench.stopRelays();
  const [last] = (await outbox.find().toArray()).toSorted((one, other) => other.sequence - one.sequence);
  await outbox.updateOne({ _id: last!._id }, { $set: { published: false } } as never);
  expect(await tellAgain()).toBe(people - 1);
  const rows = await outbox.find().toArray();
  expect(rows).toHaveLength(people);
  expect(new Set(rows.map(({ sequence }) => sequence))).toEqual(new Set([people]));
  const isSnapshot = (envelope: string): boolean => (JSON.parse(envelope) as { snapshot?: true }).snapshot === true;
  expect(rows.filter(({ envelope }) => !isSnapshot(envelope)).map(({ _id }) => _id)).toEqual([last!._id]);
});

test('an event without an identity can’t be republished', async () => {
  const telling = writeSnapshots(
    { mongo: bench.mongo, outbox: outboxOf(bench), origin: originFor(job('tests')) },
    (record) => record(organisationUpdated, { orgId, version: 1 }),
  );
  await expect(telling).rejects.toThrow('has no identity');
});
