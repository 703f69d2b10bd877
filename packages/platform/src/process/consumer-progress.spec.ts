import { afterEach, expect, test } from '@jest/globals';
import { topics } from '@parley/contracts';
import { silentLogger } from '@parley/testing';
import {
  EventBus,
  type EventBatch,
  type RunningSubscription,
  type Subscription,
} from '../events/event-bus/event-bus.ts';
import { WatchedEventBus } from './consumer-progress.ts';

/** A bus whose lag and deliveries a test decides. */
class ScriptedBus extends EventBus {
  lag: number | Error = 0;
  subscription: Subscription | null = null;
  publish(): Promise<void> {
    return Promise.resolve();
  }
  subscribe(subscription: Subscription): Promise<RunningSubscription> {
    this.subscription = subscription;
    return Promise.resolve({
      lag: () => (typeof this.lag === 'number' ? Promise.resolve(this.lag) : Promise.reject(this.lag)),
      close: () => Promise.resolve(),
    });
  }
  close(): Promise<void> {
    return Promise.resolve();
  }
}
const batch: EventBatch = { topic: topics.chat, partition: 0, events: [], malformed: [], lastOffset: '1' };
const minute = 60_000;
let watched: WatchedEventBus;
afterEach(() => watched.close());

async function start(deliver: Subscription['deliver'] = () => Promise.resolve()): Promise<ScriptedBus> {
  const bus = new ScriptedBus();
  watched = new WatchedEventBus(bus, silentLogger(), () => undefined);
  await watched.subscribe({ group: 'billing', kind: 'work', topics: [topics.chat], batchSize: 1, deliver });
  return bus;
}

/** Lets the bus look each minute for this many minutes, and returns the group that stands still then, or null. */
async function standstillAfter(minutes: number): Promise<string | null> {
  const now = performance.now();
  for (let passed = 0; passed <= minutes; passed += 1) await watched.look(now + passed * minute);
  return watched.standstill(now + minutes * minute + 1_000);
}

test('reports a standstill for a group that is behind for minutes without a delivery', async () => {
  const bus = await start();
  bus.lag = 3;
  expect([await standstillAfter(4), await standstillAfter(6)]).toEqual([null, expect.stringContaining('billing')]);
});

test('reports no standstill without events to handle, or while the broker doesn’t answer', async () => {
  const bus = await start();
  expect(await standstillAfter(60)).toBeNull();
  bus.lag = new Error('no broker');
  expect(await standstillAfter(60)).toBeNull();
});

test('reports no standstill while a batch is under way, or after it failed', async () => {
  let finish: () => void = () => undefined;
  const bus = await start(
    () => new Promise((_resolve, reject) => (finish = () => reject(new Error('the store is away')))),
  );
  bus.lag = 3;
  const delivering = bus.subscription!.deliver(batch);
  expect(await standstillAfter(60)).toBeNull();
  finish();
  await expect(delivering).rejects.toThrow('the store is away');
  expect(await standstillAfter(4)).toBeNull();
});
