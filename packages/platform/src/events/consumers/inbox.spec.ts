import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { organisationUpdated, topics } from '@parley/contracts';
import type { EventEnvelope } from '@parley/protocol';
import { ConsumerRuntime, type EventBatch, type EventBus, type Subscription } from './index.ts';
import { MemoryDoorbell } from '../../ports/doorbell/index.ts';
import { collection, jobScope, type Mongo, type Transaction } from '../../rows/mongo/index.ts';
import { newId } from '../../base/ids/index.ts';
import { z } from 'zod';
import { Outbox } from '../outbox/index.ts';
import { mongo as driver } from 'mongoose';
import { anOrgId, silentLogger, testStore, updatesOf, versionOf } from '@parley/testing';

const { mongo, ready } = await testStore();
const effectRows = collection(
  'effects',
  { _id: z.string(), consumer: z.string(), subject: z.string(), version: z.number(), at: z.number() },
  { tenant: 'platform', indexes: [{ subject: 1 }] },
);
const scope = jobScope('tests');
const effects = mongo.rows(effectRows);
let at = 0;
/** A fake log whose batches the test delivers, including repetitions as by a broker. */
let subscription: Subscription;
const bus = {
  subscribe: async (given: Subscription) => {
    subscription = given;
    return { lag: () => Promise.resolve(0), close: () => Promise.resolve() };
  },
} as unknown as EventBus;
/** The errors of the next commits, one by one. */
let failures: Error[] = [];
/** Makes the store unavailable for the handler, and available again when its failure is stored. */
let isAway = false;
const failing: Mongo = Object.assign(Object.create(mongo) as Mongo, {
  transaction: <Result>(act: (session: Transaction['session']) => Promise<Result>): Promise<Result> =>
    mongo.transaction(async (session) => {
      const done = await act(session);
      const failure = failures.shift();
      if (failure) throw failure;
      return done;
    }),
});
const runtime = new ConsumerRuntime({
  bus,
  mongo: failing,
  outbox: new Outbox({ mongo: failing, doorbell: new MemoryDoorbell(), source: 'service' }),
  group: 'service',
  logger: silentLogger(),
});
const write = async (consumer: string, event: EventEnvelope, tx: Transaction): Promise<void> => {
  const row = { _id: newId('event'), consumer, subject: event.subject, version: versionOf(event), at: (at += 1) };
  await effects.within(scope, tx).insert(row);
};
const versionsOf = async (consumer: string, { subject }: EventEnvelope): Promise<number[]> => {
  const rows = await effects.within(scope).find({ consumer, subject }, { sort: { at: 1 } });
  return rows.map(({ version }) => version);
};
beforeAll(async () => {
  await ready();
  const events = [organisationUpdated];
  const handle = async (event: EventEnvelope, tx: Transaction) => {
    if (isAway) throw new driver.MongoNetworkError('away');
    await write('seat', event, tx);
  };
  const handleAll = async (batch: readonly EventEnvelope[], tx: Transaction) => {
    for (const event of batch) await write('count', event, tx);
  };
  await runtime.start([
    { kind: 'effect', consumer: 'seat', events, handle },
    { kind: 'batch', consumer: 'count', events, handleAll },
  ]);
});
afterAll(() => runtime.close());
let offset = 0;

function deliver(...events: readonly EventEnvelope[]): Promise<void> {
  const batch = { topic: topics.org, partition: 0, malformed: [], lastOffset: '' };
  const records = events.map((event) => ({ offset: String((offset += 1)), event }));
  return subscription.deliver({ ...batch, events: records } as EventBatch);
}

test('a repeated event, alone or after new ones, has no second effect and undoes none', async () => {
  const [one, two, three] = updatesOf(anOrgId(), 3) as [EventEnvelope, EventEnvelope, EventEnvelope];
  await deliver(one);
  await deliver(one);
  await deliver(two, one);
  await deliver(three, two, one);
  expect(await versionsOf('seat', one)).toEqual([1, 2, 3]);
});

test('a batch that couldn’t be committed is handled again completely', async () => {
  const events = updatesOf(anOrgId(), 3);
  failures = [new Error('not committed'), new Error('not committed')];
  await deliver(...events);
  expect(failures).toEqual([]);
  for (const consumer of ['seat', 'count']) expect(await versionsOf(consumer, events[0]!)).toEqual([1, 2, 3]);
});

test('an unavailable store is no error of the events: none is set aside, and all come again', async () => {
  const events = updatesOf(anOrgId(), 2);
  failures = [new driver.MongoNetworkError('away')];
  const first = offset;
  await expect(deliver(...events)).rejects.toThrow('away');
  expect(await runtime.deadLetters.countParkedKeys()).toBe(0);
  offset = first;
  await deliver(...events);
  for (const consumer of ['seat', 'count']) expect(await versionsOf(consumer, events[0]!)).toEqual([1, 2]);
});

test('sets no event aside if the store is unavailable for a handler only', async () => {
  const events = updatesOf(anOrgId(), 2);
  const first = offset;
  isAway = true;
  await expect(deliver(...events)).rejects.toThrow('away');
  expect(await runtime.deadLetters.countParkedKeys()).toBe(0);
  isAway = false;
  offset = first;
  await deliver(...events);
  expect(await versionsOf('seat', events[0]!)).toEqual([1, 2]);
});
