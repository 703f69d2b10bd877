import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { topics } from '@parley/contracts';
import type { EventEnvelope } from '@parley/protocol';
import { eventually } from '@parley/testing';
import kafkajs, { type Producer, type ProducerBatch } from 'kafkajs';
import { newId } from '../../../base/ids/index.ts';
import { createLogger } from '../../../base/logging/index.ts';
import { KafkaPublisher } from './kafka-publisher.ts';

type Sending = { readonly producer: number; readonly ids: string[]; readonly resolve: () => void };
/** Producers in the order of their creation, and whether each is connected. */
let connected: boolean[];
let sendings: Sending[];
let refuseNext: Error | null;
let publisher: KafkaPublisher;

beforeEach(() => {
  [connected, sendings, refuseNext] = [[], [], null];
  jest.spyOn(kafkajs.Kafka.prototype, 'producer').mockImplementation((options) => {
    expect(options).toMatchObject({ idempotent: true, maxInFlightRequests: 1 });
    return fakeProducer(connected.push(false) - 1);
  });
  const logger = createLogger({ name: 'test', level: 'silent' });
  publisher = new KafkaPublisher({ brokers: ['none:9092'], clientId: 'test', logger }, (topic) => `test.${topic}`);
});
afterEach(() => void jest.restoreAllMocks());

const fakeProducer = (producer: number) =>
  ({
    connect: async () => void (connected[producer] = true),
    disconnect: async () => void (connected[producer] = false),
    sendBatch: ({ acks, topicMessages = [] }: ProducerBatch) => {
      expect([acks, connected[producer]]).toEqual([-1, true]);
      const refusal = refuseNext;
      refuseNext = null;
      if (refusal) return Promise.reject(refusal);
      const ids = topicMessages.flatMap(({ messages }) => messages.map(({ headers }) => String(headers?.['ce_id'])));
      return new Promise((resolve) => sendings.push({ producer, ids, resolve: () => resolve([]) }));
    },
  }) as unknown as Producer;

const anEvent = (): EventEnvelope => ({
  specversion: '1.0',
  id: newId('event'),
  source: 'org',
  type: 'group.changed.v1',
  time: '2026-11-26T09:00:00.000Z',
  subject: 'org_1',
  tenantid: 'org_1' as EventEnvelope['tenantid'],
  sequence: 1,
  actor: 'person:usr_1',
  onbehalfof: null,
  correlationid: 'c',
  causationid: null,
  traceparent: null,
  data: {},
});
const sent = async (count: number): Promise<Sending> => {
  await eventually(async () => expect(sendings).toHaveLength(count), 'the events should be on their way');
  return sendings[count - 1]!;
};

test('sends one request at a time, and what arrives meanwhile together in the next one, in order', async () => {
  const events = Array.from({ length: 4 }, anEvent);
  const first = publisher.publish(topics.org, [events[0]!]);
  const one = await sent(1);
  const rest = events.slice(1).map((event) => publisher.publish(topics.org, [event]));
  // Waits long enough for a second request, if there were one.
  for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve));
  expect(sendings).toHaveLength(1);
  one.resolve();
  await first;
  const two = await sent(2);
  two.resolve();
  await Promise.all(rest);
  expect(sendings.map(({ ids }) => ids)).toEqual([[events[0]!.id], events.slice(1).map(({ id }) => id)]);
  expect(connected).toEqual([true]);
});

test('continues with a new producer after a failed send, because the old one may have used its sequence numbers', async () => {
  refuseNext = new Error('no answer');
  await expect(publisher.publish(topics.org, [anEvent()])).rejects.toThrow('no answer');
  const event = anEvent();
  const again = publisher.publish(topics.org, [event]);
  const { producer, ids, resolve } = await sent(1);
  resolve();
  await again;
  expect([producer, ids, connected]).toEqual([1, [event.id], [false, true]]);
});

test('sends waiting events at the close, then disconnects and takes nothing more', async () => {
  const publishing = publisher.publish(topics.org, [anEvent()]);
  const closing = publisher.close();
  (await sent(1)).resolve();
  await Promise.all([publishing, closing]);
  expect(connected).toEqual([false]);
  await expect(publisher.publish(topics.org, [anEvent()])).rejects.toThrow('closed');
});
