import { delivery, outsideEvent, webhookId } from '@parley/contracts';
import { eventId, orgId, userId } from '@parley/protocol';
import { collection, type ReadOf } from '@parley/platform/mongo';
import { z } from 'zod';

const keptForSeconds = 14 * 24 * 3_600;

/** An address that is told of an organisation's events. */
export const webhookRows = collection(
  'webhooks',
  {
    _id: webhookId,
    orgId,
    url: z.string(),
    types: z.array(z.string()),
    state: z.enum(['on', 'off', 'gone']),
    /** Sealed for the organisation. */
    sealedSecret: z.string(),
    /** What came until here in the stream has its deliveries. */
    place: z.number().int(),
    /** The receiver has just failed and gets nothing until then. */
    restsUntil: z.date().optional(),
    version: z.number().int(),
    createdAt: z.date(),
    createdBy: userId,
    createdByName: z.string(),
  },
  { tenant: { organisation: 'orgId' }, indexes: [{ orgId: 1, _id: 1 }] },
);
export type WebhookRow = ReadOf<typeof webhookRows>;

/** One event for one webhook. */
export const deliveryRows = collection(
  'webhook_deliveries',
  {
    /** `<webhook>/<event>` */
    _id: z.string(),
    orgId,
    webhookId,
    eventId,
    event: outsideEvent,
    state: delivery.shape.state,
    attempts: z.number().int(),
    lastStatus: z.number().int().nullable(),
    lastFailure: delivery.shape.lastFailure,
    createdAt: z.date(),
    nextAt: z.date(),
  },
  {
    tenant: { organisation: 'orgId' },
    indexes: [
      { webhookId: 1, createdAt: -1, _id: -1 },
      { webhookId: 1, state: 1, createdAt: -1, _id: -1 },
      { webhookId: 1, state: 1, nextAt: 1 },
      [{ createdAt: 1 }, { expireAfterSeconds: keptForSeconds }],
    ],
  },
);
export type DeliveryRow = ReadOf<typeof deliveryRows>;
