import { afterEach, describe, expect, test } from '@jest/globals';
import { eventually } from '@parley/testing/eventually';
import { createRequire } from 'node:module';
import './kafka-client.ts';

type Queue = {
  readonly throttleCheckTimeoutId: unknown;
  push(request: { entry: { correlationId: number }; expectResponse: boolean; sendRequest: () => void }): void;
  fulfillRequest(response: { correlationId: number; payload: null; size: number }): void;
  maybeThrottle(ms: number): void;
  destroy(): void;
};

describe('the request queue of a connection of kafkajs', () => {
  const RequestQueue = createRequire(import.meta.url)('kafkajs/src/network/requestQueue') as new (
    options: object,
  ) => Queue;
  const queues: Queue[] = [];
  // Destroys the queues, because a timer that never ends would keep the run from ending.
  afterEach(() => queues.splice(0).forEach((queue) => queue.destroy()));

  const silent = { debug: () => {}, warn: () => {}, error: () => {} };
  const open = (
    maxInFlightRequests: number | null,
  ): { queue: Queue; sent: number[]; push: (correlationId: number) => void } => {
    const queue = new RequestQueue({
      maxInFlightRequests,
      requestTimeout: 30_000,
      enforceRequestTimeout: false,
      clientId: 'test',
      broker: 'b:1',
      logger: silent,
    });
    queues.push(queue);
    const sent: number[] = [];
    return {
      queue,
      sent,
      push: (correlationId) =>
        queue.push({
          entry: { correlationId, resolve: () => {}, reject: () => {} } as never,
          expectResponse: true,
          sendRequest: () => void sent.push(correlationId),
        }),
    };
  };

  test('sets no timer if no request waits', () => {
    const { queue, sent, push } = open(null);
    push(1);
    queue.fulfillRequest({ correlationId: 1, payload: null, size: 0 });
    expect([sent, queue.throttleCheckTimeoutId]).toEqual([[1], null]);
  });

  test('sends a waiting request as soon as there is room, and then sets no timer', async () => {
    const { queue, sent, push } = open(1);
    push(1);
    push(2);
    expect(sent).toEqual([1]);
    queue.fulfillRequest({ correlationId: 1, payload: null, size: 0 });
    expect(sent).toEqual([1, 2]);
    queue.fulfillRequest({ correlationId: 2, payload: null, size: 0 });
    await eventually(() => expect(queue.throttleCheckTimeoutId).toBeNull(), 'no timer should be set any more');
  });

  test('sends a request that the broker throttled when the throttle is over', async () => {
    const { queue, sent, push } = open(null);
    queue.maybeThrottle(100);
    push(1);
    expect(sent).toEqual([]);
    await eventually(() => expect(sent).toEqual([1]), 'it should be sent');
  });
});
