import { expect, test } from '@jest/globals';
import { membershipAdded, topics } from '@parley/contracts';
import type { EventBatch, Subscription } from '@parley/platform/event-bus';
import { newId } from '@parley/platform/ids';
import type { Platform } from '@parley/platform/service';
import type { EventEnvelope } from '@parley/protocol';
import { relayEvents } from './event-relay.ts';
import type { Sockets } from './sockets.ts';

const userId = newId('user');
const orgId = newId('organisation');
const event: EventEnvelope = {
  specversion: '1.0',
  id: newId('event'),
  source: 'org',
  type: membershipAdded.type,
  time: '2026-01-02T03:04:05.000Z',
  subject: orgId,
  tenantid: orgId,
  sequence: 1,
  actor: null,
  onbehalfof: null,
  correlationid: 'x',
  causationid: null,
  traceparent: null,
  data: { orgId, userId, role: 'member', rightsVersion: 1 },
};

test('a person hears of what happens, and not of what is told again', async () => {
  let deliver: Subscription['deliver'] = () => Promise.resolve();
  const platform = {
    bus: {
      subscribe: (subscription: Subscription) => {
        deliver = subscription.deliver;
        return Promise.resolve();
      },
    },
  } as unknown as Platform;
  const told: unknown[] = [];
  const sockets = {
    gate: { pass: (send: () => void) => send() },
    io: { to: (room: string) => ({ emit: (...message: unknown[]) => told.push([room, ...message]) }) },
  } as unknown as Sockets;
  await relayEvents(platform, sockets);
  const batchOf = (envelope: EventEnvelope): EventBatch => ({
    topic: topics.org,
    partition: 0,
    events: [{ offset: '1', event: envelope }],
    malformed: [],
    lastOffset: '1',
  });
  await deliver(batchOf({ ...event, snapshot: true }));
  expect(told).toEqual([]);
  await deliver(batchOf(event));
  expect(told).toEqual([[`p:${userId}`, 'resource.changed', { orgId, resources: ['organisations'] }]]);
});
