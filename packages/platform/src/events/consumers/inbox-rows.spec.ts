import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { organisationUpdated, topics } from '@parley/contracts';
import type { EventEnvelope } from '@parley/protocol';
import {
  anOrgId,
  silentLogger,
  startTestStore,
  updatesOf,
  versionOf,
  watchCommands,
  type TestStore,
} from '@parley/testing';
import { collection, jobScope, Mongo } from '../../rows/mongo/index.ts';
import { z } from 'zod';
import { MemoryDoorbell } from '../../ports/doorbell/index.ts';
import { Outbox } from '../outbox/index.ts';
import type { EventBatch, EventBus, Subscription } from '../event-bus/event-bus.ts';
import { ConsumerRuntime, effectOf } from './index.ts';
import type { InboxRow } from './consumer.collection.ts';

let store: TestStore;
const opened: Mongo[] = [];
beforeAll(async () => {
  store = await startTestStore();
});
afterEach(async () => {
  for (const mongo of opened.splice(0)) await mongo.close();
});
afterAll(() => store.close());

const consumers = ['seat', 'bill'];
const effectRows = collection('effects', { _id: z.string() }, { tenant: 'platform' });
const scope = jobScope('tests');

/** Starts a service with two consumers of one event, on a database that can have rows of 0.3.0. */
async function aService(rows: readonly InboxRow[] = [], names = consumers) {
  const mongo = await Mongo.connect(store.freshDatabase(), { isAlone: true, link: store.link });
  opened.push(mongo);
  let subscription: Subscription;
  const bus = {
    subscribe: async (given: Subscription) => {
      subscription = given;
      return { lag: async () => 0, close: async () => undefined };
    },
  } as unknown as EventBus;
  const outbox = new Outbox({ mongo, doorbell: new MemoryDoorbell(), source: 'service' });
  const runtime = new ConsumerRuntime({ bus, mongo, outbox, group: 'service', logger: silentLogger() });
  await mongo.applyIndexes();
  const inbox = mongo.connection.collection<InboxRow>('event_inbox');
  if (rows.length > 0) await inbox.insertMany([...rows]);
  const effects = mongo.rows(effectRows);
  await runtime.start(
    names.map((consumer) =>
      effectOf(consumer, organisationUpdated, (event, tx) =>
        effects.within(scope, tx).insert({ _id: `${consumer} ${versionOf(event)}` }),
      ),
    ),
  );
  const handled = async () => (await effects.within(scope).find({})).map(({ _id }) => _id).toSorted();
  const deliver = (...events: readonly EventEnvelope[]): Promise<void> => {
    const records = events.map((event, index) => ({ offset: String(index), event }));
    const batch: EventBatch = { topic: topics.org, partition: 0, events: records, malformed: [], lastOffset: '' };
    return subscription.deliver(batch);
  };
  return { inbox, handled, deliver, runtime };
}

const before = (consumer: string, { id }: EventEnvelope): InboxRow => ({ _id: `${consumer}|${id}`, at: new Date() });

test('an event that 0.3.0 handled for one of two consumers is handled for the other one only', async () => {
  const [one, two] = updatesOf(anOrgId(), 2) as [EventEnvelope, EventEnvelope];
  const { handled, deliver, inbox } = await aService([before('seat', one), before('seat', two), before('bill', two)]);
  await deliver(one, two);
  await deliver(one, two);
  expect(await handled()).toEqual(['bill 1']);
  expect(await inbox.findOne({ _id: one.id })).toMatchObject({ consumers: ['bill'] });
  expect(await inbox.findOne({ _id: two.id })).toBe(null);
});

test('a consumer that was removed from an event’s inbox row handles the event again, alone and immediately', async () => {
  const [event] = updatesOf(anOrgId(), 1) as [EventEnvelope];
  const { handled, deliver, inbox, runtime } = await aService([{ _id: event.id, consumers: ['gone'] }], ['seat']);
  await deliver(event);
  expect([await handled(), await runtime.deadLetters.countParkedKeys()]).toEqual([['seat 1'], 0]);
  expect(await inbox.findOne({ _id: event.id })).toMatchObject({ consumers: ['gone', 'seat'] });
});

test('stores an event of several consumers as one inbox row, which expires', async () => {
  const events = updatesOf(anOrgId(), 3);
  const { handled, deliver, inbox } = await aService();
  await deliver(...events);
  await deliver(...events);
  expect(await handled()).toEqual(['bill 1', 'bill 2', 'bill 3', 'seat 1', 'seat 2', 'seat 3']);
  const rows = await inbox.find().sort({ _id: 1 }).toArray();
  const ids = events.map(({ id }) => id).toSorted();
  expect(rows).toEqual(ids.map((_id) => ({ _id, consumers, at: expect.any(Date) })));
});

test('delivering events to two consumers takes one inbox write and one commit besides the effects', async () => {
  const [first, ...events] = updatesOf(anOrgId(), 3) as [EventEnvelope, ...EventEnvelope[]];
  const { deliver } = await aService();
  await deliver(first);
  const { commands, stop } = watchCommands();
  await deliver(...events).finally(stop);
  const own = commands.map(({ what }) => what).filter((what) => !what.startsWith('effects.'));
  expect(own).toEqual(['event_inbox.insert', 'commit']);
});
