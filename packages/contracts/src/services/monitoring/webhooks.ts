import { defineEvent, defineRoute, eventId, orgId, pageOf, pageQuery, timestamp, userId } from '@parley/protocol';
import { z } from 'zod';
import { auditValues, changesBetween } from '../../events/audit.ts';
import { webhookId } from '../../ids.ts';

/** The type of a test event, which goes to one webhook only and is in no stream. */
export const webhookTestType = 'webhook.test.v1';

const types = z.array(z.string().max(100)).min(1).max(50);
const address = z.url({ protocol: /^https?$/ }).max(500);

export const webhook = z.strictObject({
  id: webhookId,
  url: z.string(),
  types: z.array(z.string()),
  /** `gone`: the webhook's server answered 410, by which it asks for no further events. */
  state: z.enum(['on', 'off', 'gone']),
  version: z.number().int(),
  createdAt: timestamp,
  createdBy: z.strictObject({ userId, name: z.string() }),
});
export type Webhook = z.infer<typeof webhook>;

/**
 * An event for one webhook. `waiting` until the webhook's server answers with 2xx, with attempts for 24 h; then `dead`,
 * until someone sends it again. Kept for two weeks.
 */
export const delivery = z.strictObject({
  eventId,
  type: z.string(),
  state: z.enum(['waiting', 'delivered', 'dead']),
  attempts: z.number().int(),
  /** The server's last status; null if it didn't answer. */
  lastStatus: z.number().int().nullable(),
  /** Why the last attempt failed; null if it didn't fail. `address`: Parley isn't allowed to call the address. */
  lastFailure: z.enum(['status', 'no-answer', 'address', 'webhook-off']).nullable(),
  createdAt: timestamp,
  /** When the next attempt is; null unless the delivery waits for one. */
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
 * Creates a webhook: events of these types are sent to a URL from now on, signed as in Standard Webhooks. Only this
 * response has the secret; repeated, it returns null. `platform.address-not-allowed` for an address that can't be
 * called, and for plain http unless the installation allows the address; `org.limit-reached` if the quota `webhooks` is
 * full.
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
 * Changes a webhook. When it is turned off, waiting deliveries become dead and nothing new is sent; turned on again, it
 * starts with new events. With another host it gets a new secret, which only this response has; `secret` is null
 * otherwise.
 */
export const changeWebhook = defineRoute({
  ...managed,
  route: 'PUT /api/monitoring/webhooks/:webhookId',
  cost: 'write',
  params: one,
  body: z.strictObject({ version: z.number().int(), url: address, types, isOn: z.boolean() }),
  response: webhook.extend({ secret: z.string().nullable() }),
});

/** Deletes a webhook with its deliveries. A repeated call gets 404. */
export const deleteWebhook = defineRoute({
  ...managed,
  route: 'DELETE /api/monitoring/webhooks/:webhookId',
  cost: 'write',
  status: 204,
  params: one,
});

/** Sends a test event, whose result is in the list of deliveries. `platform.conflict` while the webhook is off. */
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

/** Sends a delivery again, in any state, under the same id. `platform.conflict` while the webhook is off. */
export const redeliver = defineRoute({
  ...managed,
  route: 'POST /api/monitoring/webhooks/:webhookId/deliveries/:eventId/redeliver',
  cost: 'outbound',
  status: 202,
  params: oneDelivery,
  response: delivery,
});

/** The part of a webhook that the audit log keeps: only the host of the URL, because its path can hold a secret. */
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
