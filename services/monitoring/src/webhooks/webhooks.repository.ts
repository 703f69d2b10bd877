import { Injectable } from '@nestjs/common';
import type { WebhookId, listDeliveries, listWebhooks } from '@parley/contracts';
import { Mongo, type OrganisationScope, type PageQuery, type Rows, type Transaction } from '@parley/platform/mongo';
import { Quotas } from '@parley/platform/quotas';
import type { ResponseOf } from '@parley/protocol';
import { EventStream } from '../event-stream/index.ts';
import { deliveryRows, webhookRows, type DeliveryRow, type WebhookRow } from './webhook.collection.ts';
import { tellWebhook } from './webhook-job.ts';
import { deliveryIdOf, toDelivery, toWebhook } from './webhook.ts';
import { webhookQuota } from './webhook-quota.ts';

/** Webhooks and what they are told. */
@Injectable()
export class WebhooksRepository {
  private readonly webhooks: Rows<typeof webhookRows>;
  private readonly deliveries: Rows<typeof deliveryRows>;
  private readonly quotas: Quotas;

  constructor(mongo: Mongo, stream: EventStream) {
    this.webhooks = mongo.rows(webhookRows);
    this.deliveries = mongo.rows(deliveryRows);
    this.quotas = new Quotas(mongo);
    stream.onAppend((scope, tx) => this.queueAll(scope, tx));
  }

  /** Has the webhook told what is new and due, after the transaction. */
  queue({ _id: webhookId, orgId, createdBy }: Pick<WebhookRow, '_id' | 'orgId' | 'createdBy'>, tx: Transaction): void {
    tx.queue(tellWebhook, { webhookId, orgId, createdBy });
  }

  private async queueAll(scope: OrganisationScope, tx: Transaction): Promise<void> {
    // Read outside of the transaction, and from memory where this process is alone. A transaction that turns a webhook on
    // writes the head of the stream, as this one has: so the webhook is on before or after all of these events.
    const on = await this.webhooks.recall(scope, 'which are on', (rows) =>
      rows.find({ state: 'on' }, { fields: ['orgId', 'createdBy'] }),
    );
    for (const row of on) this.queue(row, tx);
  }

  list(scope: OrganisationScope, query: PageQuery): Promise<ResponseOf<typeof listWebhooks>> {
    return this.webhooks.within(scope).page(query, { by: { _id: -1 }, to: toWebhook });
  }

  find(scope: OrganisationScope, id: WebhookId, tx?: Transaction): Promise<WebhookRow | null> {
    return this.webhooks.within(scope, tx).findById(id);
  }

  isOn(scope: OrganisationScope, _id: WebhookId): Promise<boolean> {
    return this.webhooks.within(scope).exists({ _id, state: 'on' });
  }

  async insert(scope: OrganisationScope, tx: Transaction, row: WebhookRow) {
    const stored = await this.webhooks.within(scope, tx).insertOnce(row);
    if (stored.isNew) await this.quotas.admit(scope, tx, webhookQuota);
    return stored;
  }

  /** Null where another version is there. */
  change(
    scope: OrganisationScope,
    tx: Transaction,
    {
      _id,
      version,
      ...set
    }: Pick<WebhookRow, '_id' | 'version' | 'url' | 'types' | 'state'> & {
      readonly place: number | undefined;
      readonly sealedSecret: string | undefined;
    },
  ): Promise<WebhookRow | null> {
    return this.webhooks.within(scope, tx).change({ _id, version }, { $set: set, $inc: { version: 1 } });
  }

  /** False when it is gone already. */
  delete(scope: OrganisationScope, tx: Transaction, _id: WebhookId): Promise<boolean> {
    return this.webhooks.within(scope, tx).delete({ _id });
  }

  /** For a webhook that is deleted. What is left where the process ends meanwhile goes with its age. */
  async deleteDeliveries(scope: OrganisationScope, webhookId: WebhookId): Promise<void> {
    await this.deliveries.within(scope).deleteInBatches({ webhookId });
  }

  /** For a webhook that is off: what waits is sent to nobody, unless somebody sends it again. */
  async giveUpWaiting(scope: OrganisationScope, webhookId: WebhookId): Promise<void> {
    const given = { state: 'dead', lastFailure: 'webhook-off' } as const;
    await this.deliveries.within(scope).updateInBatches({ webhookId, state: 'waiting' }, { $set: given });
  }

  async rest(
    scope: OrganisationScope,
    tx: Transaction,
    { _id, until }: { readonly _id: WebhookId; readonly until: Date },
  ): Promise<void> {
    await this.webhooks.within(scope, tx).update({ _id }, { $set: { restsUntil: until } });
  }

  async noteGone(scope: OrganisationScope, tx: Transaction, _id: WebhookId): Promise<void> {
    await this.webhooks
      .within(scope, tx)
      .update({ _id, state: 'on' }, { $set: { state: 'gone' }, $inc: { version: 1 } });
  }

  listDeliveries(
    scope: OrganisationScope,
    webhookId: WebhookId,
    { state, ...page }: PageQuery & { readonly state?: DeliveryRow['state'] | undefined },
  ): Promise<ResponseOf<typeof listDeliveries>> {
    return this.deliveries
      .within(scope)
      .page(page, { where: { webhookId, ...(state && { state }) }, by: { createdAt: -1, _id: -1 }, to: toDelivery });
  }

  async addDeliveries(scope: OrganisationScope, tx: Transaction, rows: readonly DeliveryRow[]): Promise<void> {
    await this.deliveries.within(scope, tx).insertMany(rows);
  }

  countWaiting(scope: OrganisationScope, webhookId: WebhookId, limit: number): Promise<number> {
    return this.deliveries.within(scope).count({ webhookId, state: 'waiting' }, { limit });
  }

  changeDelivery(
    scope: OrganisationScope,
    { webhookId, eventId }: Pick<DeliveryRow, 'webhookId' | 'eventId'>,
    set: Partial<Omit<DeliveryRow, '_id' | 'orgId'>>,
    tx?: Transaction,
  ): Promise<DeliveryRow | null> {
    return this.deliveries.within(scope, tx).change({ _id: deliveryIdOf(webhookId, eventId) }, { $set: set });
  }

  /** The next ones to be sent, in the order in which they happened. */
  async due(
    scope: OrganisationScope,
    webhookId: WebhookId,
    { now, limit }: { now: Date; limit: number },
  ): Promise<DeliveryRow[]> {
    const rows = await this.deliveries
      .within(scope)
      .find({ webhookId, state: 'waiting', nextAt: { $lte: now } }, { sort: { nextAt: 1 }, limit });
    return rows.toSorted(inOrder);
  }

  /** When the next one is due; null where none waits. */
  async nextDueAt(scope: OrganisationScope, webhookId: WebhookId): Promise<Date | null> {
    const first = { sort: { nextAt: 1 }, limit: 1, fields: ['nextAt'] } as const;
    const [next] = await this.deliveries.within(scope).find({ webhookId, state: 'waiting' }, first);
    return next?.nextAt ?? null;
  }

  /** False where another attempt has moved it, or it is off. */
  move(
    scope: OrganisationScope,
    tx: Transaction,
    { _id, from, to }: Pick<WebhookRow, '_id'> & { readonly from: number; readonly to: number },
  ): Promise<boolean> {
    return this.webhooks.within(scope, tx).update({ _id, state: 'on', place: from }, { $set: { place: to } });
  }
}

/** Deliveries of one transaction are due at the same time: their ids have the order of the events. */
const inOrder = (one: DeliveryRow, other: DeliveryRow): number =>
  one.nextAt.getTime() - other.nextAt.getTime() || (one._id < other._id ? -1 : 1);
