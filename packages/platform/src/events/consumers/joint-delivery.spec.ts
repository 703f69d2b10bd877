import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { organisationUpdated, topics } from '@parley/contracts';
import type { EventEnvelope, Topic } from '@parley/protocol';
import {
  anOrganisationUpdate,
  anOrgId,
  ConsumerBench,
  makeEmbeddedEventLog,
  startTestStore,
  updatesOf,
  type TestStore,
} from '@parley/testing';
import { setTimeout as wait } from 'node:timers/promises';
import type { EventBus, Subscription } from '../event-bus/event-bus.ts';
import type { EffectHandler } from './consumer-handlers.ts';

let store: TestStore;
let bench: ConsumerBench;
beforeAll(async () => {
  store = await startTestStore();
  bench = await ConsumerBench.make(store, makeEmbeddedEventLog);
});
afterAll(async () => {
  await bench.close();
  await store.close();
});

/** Returns a fake bus with its subscription, through which the test delivers batches. */
function aBus() {
  let subscription: Subscription | undefined;
  const bus = {
    subscribe: async (given: Subscription) => {
      subscription = given;
      return { lag: async () => 0, close: async () => undefined };
    },
  } as unknown as EventBus;
  return { bus, subscribed: () => subscription! };
}

test('transactions that change the same rows run one at a time, across partitions and consumers', async () => {
  const { bus, subscribed } = aBus();
  let [open, mostOpen, handled] = [0, 0, 0];
  const contended = (consumer: string): EffectHandler => ({
    kind: 'effect',
    consumer,
    events: [organisationUpdated],
    mostTogether: 2,
    handle: async () => {
      open += 1;
      mostOpen = Math.max(mostOpen, open);
      await wait(20);
      handled += 1;
      open -= 1;
    },
  });
  await bench.run([contended('seat'), contended('bench')], { bus });
  const deliver = (partition: number, events: readonly EventEnvelope[]) =>
    subscribed().deliver({
      topic: topics.org,
      partition,
      events: events.map((event, offset) => ({ offset: String(offset), event })),
      malformed: [],
      lastOffset: String(events.length - 1),
    });
  await Promise.all([0, 1, 2, 3].map((partition) => deliver(partition, updatesOf(anOrgId(), 1))));
  expect([handled, mostOpen]).toEqual([8, 1]);
});

test('events of two topics within the gathering time share a transaction, and are handled one by one if it fails', async () => {
  const { bus, subscribed } = aBus();
  const sessions = new Set<unknown>();
  let failures = 1;
  const effect: EffectHandler = {
    kind: 'effect',
    consumer: 'gather',
    events: [organisationUpdated],
    handle: async (event, tx) => {
      sessions.add(tx.session);
      await bench.write('gather', event, tx);
    },
  };
  const other: EffectHandler = {
    ...effect,
    consumer: 'fail-once',
    handle: async (event, tx) => {
      if (failures-- > 0) throw new Error('once');
      await bench.write('fail-once', event, tx);
    },
  };
  const deliver = (topic: Topic, event: EventEnvelope) =>
    subscribed().deliver({ topic, partition: 0, events: [{ offset: '1', event }], malformed: [], lastOffset: '1' });
  const orgId = anOrgId();
  const [first, second, third] = updatesOf(orgId, 3);
  await bench.run([effect], { bus, gatherMs: 20, group: 'gathers' });
  await Promise.all([deliver(topics.org, first!), deliver(topics.chat, second!)]);
  expect(sessions.size).toBe(1);
  expect(await bench.versions('gather', orgId)).toEqual([1, 2]);
  await bench.run([effect, other], { bus, gatherMs: 20, group: 'gathers and fails' });
  await Promise.all([deliver(topics.org, third!), deliver(topics.chat, anOrganisationUpdate(orgId, 4))]);
  expect((await bench.versions('gather', orgId)).toSorted((one, other) => one - other)).toEqual([1, 2, 3, 4]);
  expect((await bench.versions('fail-once', orgId)).toSorted((one, other) => one - other)).toEqual([3, 4]);
});
