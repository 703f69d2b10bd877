import { expect, test } from '@jest/globals';
import type { EventEnvelope } from '@parley/protocol';
import { eventDefinitions } from './events.ts';
import { reads } from '@parley/protocol';

const orgId = 'org_01M7Z6X0BT7J6QPJC5FQE3HR01';
const by = 'usr_01M7Z6X0BT7J6QPJC5FQE3HR01';

/** Lists events that versions before 0.4.0 published, and how this version reads them. */
const former: readonly [type: string, data: object, now: string, read: object][] = [
  [
    'org.share-changed.v1',
    { orgId, share: by, rightsVersion: 3 },
    'org.flow-changed.v1',
    { orgId, flow: by, rightsVersion: 3 },
  ],
  ...['auth', 'org', 'chat', 'billing', 'monitoring'].map((service): (typeof former)[number] => [
    `${service}.limit-changed.v1`,
    { orgId, by, stock: 'webhooks', ceiling: 3, earlier: 2 },
    `${service}.limit-changed.v1`,
    { orgId, by, quota: 'webhooks', ceiling: 3, earlier: 2 },
  ]),
];

test.each(former)('reads the event %s of an earlier version under today’s names', (type, data, now, read) => {
  const definition = eventDefinitions.find((one) => reads(one, type));
  expect(definition?.parse({ type, data } as EventEnvelope)).toMatchObject({ type: now, data: read });
  expect(definition?.parse({ type: now, data: read } as EventEnvelope)).toMatchObject({ type: now, data: read });
});
