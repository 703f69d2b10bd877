import { defineEvent, defineRoute, eventId, orgId, pageOf, pageQuery, timestamp, userId } from '@parley/protocol';
import { z } from 'zod';
import { auditValues, changesBetween } from '../../events/audit.ts';
import { webhookId } from '../../ids.ts';

/** What a test tells: it goes to one webhook only and stands in no stream. */
export const webhookTestType = 'webhook.test.v1';

const types = z.array(z.string().max(100)).min(1).max(50);
const address = z.url({ protocol: /^https?$/ }).max(500);

export const webhook = z.strictObject({
  id: webhookId,
  url: z.string(),
  types: z.array(z.string()),
  /** `gone`: its server answered 410, by which it asks for no more. */
  state: z.enum(['on', 'off', 'gone']),
  version: z.number().int(),
  createdAt: timestamp,
  createdBy: z.strictObject({ userId, name: z.string() }),
});
export type Webhook = z.infer<typeof webhook>;

/**
 * One event for one webhook. `waiting` until its server has answered with 2xx, tried again for 24 h; then `dead`, until
 * somebody sends it again. Kept for two weeks.
 */
export const delivery = z.strictObject({
  eventId,
  type: z.string(),
  state: z.enum(['waiting', 'delivered', 'dead']),
  attempts: z.number().int(),
  /** What the server answered last; null where it did not. */
  lastStatus: z.number().int().nullable(),
  /** Why the last attempt failed; null where it did not. `address`: it may not be called. */
  lastFailure: z.enum(['status', 'no-answer', 'address', 'webhook-off']).nullable(),
  createdAt: timestamp,
  /** When it is tried next; null unless it waits. */
  nextAt: timestamp.nullable(),
});
export type Delivery = z.infer<typeof delivery>;

const managed = { service: 'monitoring', scope: 'organisation', permission: 'webhook:manage' } as const;
const one = z.strictObject({ webhookId });
const oneDelivery = z.strictObject({ webhookId, eventId });

export const listWebhooks = defineRoute({
  ...managed,
  route: 'GET /api/monitoring/webhooks',
  cost: 'read',
  query: pageQuery,
  response: pageOf(webhook),
});

/**
 * Tells an address of each event of these types from now on, signed as Standard Webhooks has it. The secret is in this
 * answer and nowhere else afterwards: whoever repeats it gets it as null. `platform.address-not-allowed` for addresses that
 * may not be called, and for plain http unless the installation allows the address; when the quota `webhooks` is full: `org.limit-reached`.
 */
export const createWebhook = defineRoute({
  ...managed,
  route: 'POST /api/monitoring/webhooks',
  cost: 'outbound',
  status: 201,
  body: z.strictObject({ id: webhookId, url: address, types }),
  response: z.strictObject({ webhook, secret: z.string().nullable() }),
});

/**
 * Off, what waits becomes dead and nothing new is told; on again, it begins with what happens then. A webhook that moves
 * to another host gets a new secret, which is in this answer only; `secret` is null otherwise.
 */
export const changeWebhook = defineRoute({
  ...managed,
  route: 'PUT /api/monitoring/webhooks/:webhookId',
  cost: 'write',
  params: one,
  body: z.strictObject({ version: z.number().int(), url: address, types, isOn: z.boolean() }),
  response: webhook.extend({ secret: z.string().nullable() }),
});

/** With its deliveries. Repeating it is 404. */
export const deleteWebhook = defineRoute({
  ...managed,
  route: 'DELETE /api/monitoring/webhooks/:webhookId',
  cost: 'write',
  status: 204,
  params: one,
});

/** Sends an event that tells nothing; how it went stands among the deliveries. `platform.conflict` while it is off. */
export const testWebhook = defineRoute({
  ...managed,
  route: 'POST /api/monitoring/webhooks/:webhookId/test',
  cost: 'outbound',
  status: 202,
  params: one,
  response: z.strictObject({ eventId }),
});

/** Newest first. */
export const listDeliveries = defineRoute({
  ...managed,
  route: 'GET /api/monitoring/webhooks/:webhookId/deliveries',
  cost: 'read',
  params: one,
  query: pageQuery.extend({ state: delivery.shape.state.optional() }),
  response: pageOf(delivery),
});

/** Sends it again, whatever became of it, under the same id. `platform.conflict` while the webhook is off. */
export const redeliver = defineRoute({
  ...managed,
  route: 'POST /api/monitoring/webhooks/:webhookId/deliveries/:eventId/redeliver',
  cost: 'outbound',
  status: 202,
  params: oneDelivery,
  response: delivery,
});

/** What stays of an address in the audit log: its path may hold a secret. */
const audited = z.object({ host: z.string(), types: z.array(z.string()), isOn: z.boolean() });
const webhookFields = ({ host, types, isOn }: z.infer<typeof audited>) => ({
  host: auditValues.text(host),
  eventTypes: auditValues.texts(types),
  isOn: auditValues.flag(isOn),
});

export const webhookChanged = defineEvent('webhook.changed.v1', 'monitoring', {
  data: z.object({ orgId, webhookId, by: userId, before: audited.nullable(), after: audited.nullable() }),
  key: 'orgId',
  live: { room: 'organisation', permission: 'webhook:manage', resources: ['webhooks'] },
  audit: ({ webhookId: id, by, before, after }) => ({
    act: before === null ? 'webhook.created' : after === null ? 'webhook.deleted' : 'webhook.changed',
    by,
    target: { of: 'webhook', id, name: (after ?? before)?.host ?? null },
    changes: changesBetween(before && webhookFields(before), after && webhookFields(after)),
  }),
});

export const webhookRoutes = {
  listWebhooks,
  createWebhook,
  changeWebhook,
  deleteWebhook,
  testWebhook,
  listDeliveries,
  redeliver,
};
