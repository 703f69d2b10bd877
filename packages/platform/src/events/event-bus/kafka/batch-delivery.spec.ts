import { beforeEach, describe, expect, test } from '@jest/globals';
import { topics } from '@parley/contracts';
import type { EachBatchPayload, KafkaMessage } from 'kafkajs';
import { setTimeout as wait } from 'node:timers/promises';
import { createLogger } from '../../../base/logging/index.ts';
import type { EventBatch } from '../event-bus.ts';
import { BatchDelivery } from './batch-delivery.ts';

const name = 'test.org';
let delivered: EventBatch[];
/** The outcomes of the next deliveries, one by one; later deliveries succeed. */
let refusals: (() => void | Promise<void>)[];
let resolved: string[];
let positions: bigint[];
let commits: string[][];
let stop: AbortController;
let isRunning: boolean;
let beat: () => Promise<void>;
let delivery: BatchDelivery;

beforeEach(() => {
  [delivered, refusals, resolved, positions, commits] = [[], [], [], [], []];
  [stop, isRunning, beat] = [new AbortController(), true, () => Promise.resolve()];
  delivery = new BatchDelivery({
    subscription: {
      group: 'group',
      kind: 'work',
      topics: [topics.org],
      batchSize: 2,
      deliver: async (batch) => {
        await refusals.shift()?.();
        delivered.push(batch);
      },
    },
    topicOf: () => topics.org,
    logger: createLogger({ name: 'test', level: 'silent' }),
    redeliveryMs: 1,
    stop: stop.signal,
    onDelivered: (_name, _partition, next) => void positions.push(next),
  });
});

const record = (offset: number): KafkaMessage =>
  ({ key: null, value: Buffer.from('odd'), headers: {}, offset: String(offset) }) as unknown as KafkaMessage;
function take(...offsets: readonly number[]): Promise<void> {
  return delivery.take({
    batch: { topic: name, partition: 0, messages: offsets.map(record) },
    resolveOffset: (offset: string) => void resolved.push(offset),
    commitOffsetsIfNecessary: async () => void commits.push([...resolved]),
    heartbeat: () => beat(),
    isRunning: () => isRunning,
  } as unknown as EachBatchPayload);
}
const offsetsOf = ({ malformed }: EventBatch): string[] => malformed.map(({ offset }) => offset);
const refuse = (): never => {
  throw new Error('not taken');
};

describe('BatchDelivery', () => {
  test('delivers a batch in slices, in order, and continues after each slice that was taken', async () => {
    await take(4, 5, 7, 8, 9);
    expect(delivered.map(offsetsOf)).toEqual([['4', '5'], ['7', '8'], ['9']]);
    expect(resolved).toEqual(['5', '8', '9']);
    expect(positions).toEqual([6n, 9n, 10n]);
    expect(commits).toEqual([['5'], ['5', '8'], ['5', '8', '9']]);
  });

  test('delivers a batch that isn’t taken again before later ones, and resolves its offset only then', async () => {
    refusals = [refuse, () => void (expect(resolved).toEqual([]), refuse())];
    await take(1, 2, 3);
    expect(delivered.map(offsetsOf)).toEqual([['1', '2'], ['3']]);
    expect(resolved).toEqual(['2', '3']);
  });

  test('leaves a batch to the next owner of the partition if it isn’t taken before the subscription closes', async () => {
    refusals = [() => void (stop.abort(), refuse())];
    await take(1, 2, 3);
    expect([delivered, resolved, positions]).toEqual([[], [], []]);
  });

  test('stops a batch after the current slice when the member has to stop', async () => {
    refusals = [() => void (isRunning = false)];
    await take(1, 2, 3);
    expect(resolved).toEqual(['2']);
  });
});

test('a member that has to join again delivers nothing more until it has joined', async () => {
  const lost = { type: 'REBALANCE_IN_PROGRESS' };
  beat = () => Promise.reject(Object.assign(new Error('out'), lost));
  // Takes long enough for a heartbeat.
  refusals = [() => wait(700)];
  await expect(take(1, 2, 3)).rejects.toMatchObject(lost);
  beat = () => Promise.resolve();
  await expect(take(3)).rejects.toMatchObject(lost);
  expect(resolved).toEqual(['2']);
  delivery.joined();
  await take(3);
  expect(resolved).toEqual(['2', '3']);
});

test('a broker that doesn’t answer a heartbeat doesn’t end the membership', async () => {
  beat = () => Promise.reject(Object.assign(new Error('late'), { type: 'REQUEST_TIMED_OUT' }));
  refusals = [() => wait(700)];
  await take(1, 2, 3);
  expect(resolved).toEqual(['2', '3']);
});
