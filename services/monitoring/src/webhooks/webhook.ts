import {
  typesNamed,
  webhookTestType,
  type Delivery,
  type OutsideEvent,
  type Webhook,
  type WebhookId,
} from '@parley/contracts';
import type { EventId, OrgId } from '@parley/protocol';
import type { DeliveryRow, WebhookRow } from './webhook.collection.ts';

/** Webhooks that a process tells at the same time, half of them of one flow. */
export const mostTurns = 32;

const [second, minute, hour] = [1_000, 60_000, 3_600_000];
/** After each attempt that failed; after the last one, 24 h after the first, a delivery is dead. */
const pausesMs = [5 * second, 5 * minute, 30 * minute, 2 * hour, 5 * hour, 8 * hour, 8 * hour + 25 * minute];
/** So that what failed together is not tried again together. Never longer than told: the last one would be too late. */
const shortestShare = 0.9;

export type Outcome = Pick<Delivery, 'lastStatus' | 'lastFailure'>;

/** What becomes of a delivery by an attempt; `random` is from 0 to 1. */
export function afterAttempt(
  { attempts: before }: Pick<DeliveryRow, 'attempts'>,
  outcome: Outcome,
  { now, random }: { readonly now: Date; readonly random: number },
): Pick<DeliveryRow, 'state' | 'attempts' | 'nextAt' | 'lastStatus' | 'lastFailure'> {
  const attempts = before + 1;
  if (outcome.lastFailure === null) return { ...outcome, attempts, state: 'delivered', nextAt: now };
  const pause = pausesMs[before];
  if (pause === undefined) return { ...outcome, attempts, state: 'dead', nextAt: now };
  const share = shortestShare + (1 - shortestShare) * random;
  return { ...outcome, attempts, state: 'waiting', nextAt: new Date(now.getTime() + pause * share) };
}

export const deliveryIdOf = (webhookId: WebhookId, eventId: string): string => `${webhookId}/${eventId}`;

type New = { readonly webhookId: WebhookId; readonly orgId: OrgId; readonly event: OutsideEvent; readonly at: Date };
export const newDelivery = ({ webhookId, orgId, event, at }: New): DeliveryRow => ({
  _id: deliveryIdOf(webhookId, event.id),
  orgId,
  webhookId,
  eventId: event.id,
  event,
  state: 'waiting',
  attempts: 0,
  lastStatus: null,
  lastFailure: null,
  createdAt: at,
  nextAt: at,
});

/** It tells nothing, and stands in no stream. */
export const testEvent = ({
  id,
  webhookId,
  orgId,
  at,
}: Omit<New, 'event'> & { readonly id: EventId }): OutsideEvent => ({
  specversion: '1.0',
  id,
  source: 'monitoring',
  type: webhookTestType,
  time: at.toISOString(),
  subject: webhookId,
  tenantid: orgId,
  sequence: 1,
  datacontenttype: 'application/json',
  data: {},
});

export const wants = ({ types }: Pick<WebhookRow, 'types'>, { type }: OutsideEvent): boolean =>
  types.some((filter) => typesNamed(filter).includes(type));

export const toWebhook = (row: WebhookRow): Webhook => ({
  id: row._id,
  url: row.url,
  types: row.types,
  state: row.state,
  version: row.version,
  createdAt: row.createdAt.toISOString(),
  createdBy: { userId: row.createdBy, name: row.createdByName },
});

export const toDelivery = (row: DeliveryRow): Delivery => ({
  eventId: row.eventId,
  type: row.event.type,
  state: row.state,
  attempts: row.attempts,
  lastStatus: row.lastStatus,
  lastFailure: row.lastFailure,
  createdAt: row.createdAt.toISOString(),
  nextAt: row.state === 'waiting' ? row.nextAt.toISOString() : null,
});
