import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { topics } from '@parley/contracts';
import { eventually } from '@parley/testing';
import kafkajs, { type Admin, type Consumer, type ConsumerRunConfig, type EachBatchPayload } from 'kafkajs';
import { createLogger } from '../../../base/logging/index.ts';
import type { Subscription } from '../event-bus.ts';
import { KafkaSubscription } from './kafka-subscription.ts';

const name = 'test.org';
type Member = {
  readonly groupId: string;
  readonly seeks: string[];
  readonly run: () => ConsumerRunConfig | undefined;
  readonly crash: (error: Error) => void;
};
let members: Member[];
let end: string;
let crashes: Error[];
let deletedGroups: string[];
let started: KafkaSubscription[];

beforeEach(() => {
  [members, end, crashes, deletedGroups, started] = [[], '7', [], [], []];
  jest.spyOn(kafkajs.Kafka.prototype, 'consumer').mockImplementation(({ groupId } = {} as never) => aMember(groupId));
});
afterEach(async () => {
  await Promise.all(started.map((one) => one.close()));
  jest.restoreAllMocks();
});

/** Returns a consumer that has partition 0 as soon as it runs. */
function aMember(groupId: string): Consumer {
  const heard = new Map<string, (event: unknown) => void>();
  const seeks: string[] = [];
  let config: ConsumerRunConfig | undefined;
  members.push({ groupId, seeks, run: () => config, crash: (error) => heard.get('crash')?.({ payload: { error } }) });
  return {
    events: { GROUP_JOIN: 'join', CRASH: 'crash' },
    on: (event: string, listener: (event: unknown) => void) => void heard.set(event, listener),
    connect: async () => undefined,
    disconnect: async () => undefined,
    subscribe: async () => undefined,
    run: async (given: ConsumerRunConfig) => {
      config = given;
      heard.get('join')?.({ payload: { memberAssignment: { [name]: [0] } } });
    },
    seek: ({ offset }: { offset: string }) => void seeks.push(offset),
  } as unknown as Consumer;
}
const admin = {
  fetchTopicOffsets: async () => [{ partition: 0, offset: end, low: '0', high: end }],
  fetchOffsets: async () => [{ topic: name, partitions: [{ partition: 0, offset: '4', metadata: null }] }],
  deleteGroups: async (ids: string[]) => void deletedGroups.push(...ids),
} as unknown as Admin;

async function start(kind: Subscription['kind']): Promise<KafkaSubscription> {
  const running = await KafkaSubscription.start({
    connection: { brokers: ['none:9092'], clientId: 'test', logger: createLogger({ name: 'test', level: 'silent' }) },
    subscription: { group: 'group', kind, topics: [topics.org], batchSize: 10, deliver: async () => undefined },
    group: 'test.group',
    nameOf: () => name,
    topicOf: () => topics.org,
    admin: async () => admin,
    redeliveryMs: 1,
    onCrash: (error) => void crashes.push(error),
  });
  started.push(running);
  return running;
}
/** Returns records as kafkajs passes them on. */
const fetched = (member: Member, offsets: readonly string[]) =>
  member.run()!.eachBatch!({
    batch: { topic: name, partition: 0, messages: offsets.map((offset) => ({ key: null, value: null, offset })) },
    resolveOffset: () => undefined,
    commitOffsetsIfNecessary: async () => undefined,
    heartbeat: async () => undefined,
    isRunning: () => true,
  } as unknown as EachBatchPayload);
const passing = () => Object.assign(new Error('no brokers'), { name: 'KafkaJSConnectionError', retriable: true });
const joined = async (count: number): Promise<Member> => {
  await eventually(async () => {
    expect(members).toHaveLength(count);
    expect(members[count - 1]?.run()).toBeDefined();
  }, 'a new consumer should join');
  return members[count - 1]!;
};

test('a watcher starts at the end, and after coming back continues at its position, in a group of its own', async () => {
  const running = await start('watch');
  const first = await joined(1);
  expect([first.seeks, first.run()?.autoCommit]).toEqual([['7'], false]);
  end = '12';
  await fetched(first, ['7', '8']);
  expect(await running.lag()).toBe(3);
  first.crash(passing());
  const second = await joined(2);
  expect(second.seeks).toEqual(['9']);
  expect(second.groupId).not.toBe(first.groupId);
  await running.close();
  expect([crashes, deletedGroups]).toEqual([[], [second.groupId]]);
});

test('a member of a work group comes back to its group, where the cluster stores its position', async () => {
  const running = await start('work');
  const first = await joined(1);
  first.crash(passing());
  const second = await joined(2);
  expect([first, second].map(({ groupId, seeks }) => [groupId, seeks])).toEqual([
    ['test.group', []],
    ['test.group', []],
  ]);
  expect([second.run()?.autoCommit, second.run()?.eachBatchAutoResolve]).toEqual([undefined, false]);
  expect(await running.lag()).toBe(3);
});

test('a permanent error ends the process, so no member only looks alive', async () => {
  await start('work');
  const first = await joined(1);
  first.crash(new Error('a fault'));
  await eventually(async () => expect(crashes).toMatchObject([{ message: 'a fault' }]), 'the crash should be told');
  expect(members).toHaveLength(1);
});
