import { Injectable } from '@nestjs/common';
import type { WebhookId, listDeliveries, listWebhooks } from '@parley/contracts';
import { WaitingWalk } from '@parley/platform/fair-turns';
import {
  jobScope,
  Mongo,
  type OrganisationScope,
  type PageQuery,
  type Rows,
  type Transaction,
} from '@parley/platform/mongo';
import { Quotas } from '@parley/platform/quotas';
import type { OrgId, ResponseOf } from '@parley/protocol';
import { deliveryRows, webhookRows, type DeliveryRow, type WebhookRow } from './webhook.collection.ts';
import { deliveryIdOf, toDelivery, toWebhook } from './webhook.ts';
import { webhookQuota } from './webhook-quota.ts';

const working = jobScope('webhooks of all organisations are worked through together');
const mostAtOnce = 2_000;
/** Webhooks that are looked for beside the oldest deliveries. */
const mostWalked = 500;
type Due = Pick<DeliveryRow, '_id' | 'webhookId' | 'nextAt'>;
export type Working = Pick<WebhookRow, '_id' | 'orgId' | 'place' | 'createdBy' | 'leasedUntil'>;
export type Lease = {
  readonly webhookId: WebhookId;
  readonly holder: string;
  readonly now: Date;
  readonly until: Date;
};

/** Webhooks and what they are told. */
@Injectable()
export class WebhooksRepository {
  private readonly webhooks: Rows<typeof webhookRows>;
  private readonly deliveries: Rows<typeof deliveryRows>;
  private readonly quotas: Quotas;
  private readonly walk = new WaitingWalk<Due>();

  constructor(mongo: Mongo) {
    this.webhooks = mongo.rows(webhookRows);
    this.deliveries = mongo.rows(deliveryRows);
    this.quotas = new Quotas(mongo);
  }

  list(scope: OrganisationScope, query: PageQuery): Promise<ResponseOf<typeof listWebhooks>> {
    return this.webhooks.within(scope).page(query, { by: { _id: -1 }, to: toWebhook });
  }

  find(scope: OrganisationScope, id: WebhookId, tx?: Transaction): Promise<WebhookRow | null> {
    return this.webhooks.within(scope, tx).findById(id);
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

  /** All that are on, and which of all have something due; where more is due than is read at once, some each time. */
  async toWork(now: Date): Promise<{ readonly on: readonly Working[]; readonly due: ReadonlySet<WebhookId> }> {
    const on = await this.webhooks
      .within(working)
      .find({ state: 'on' }, { fields: ['orgId', 'place', 'createdBy', 'leasedUntil'], limit: mostAtOnce });
    if (on.length === 0) return { on, due: new Set() };
    const deliveries = this.deliveries.within(working);
    const oldest = await deliveries.find(
      { state: 'waiting', nextAt: { $lte: now } },
      { fields: ['webhookId', 'nextAt'], sort: { nextAt: 1 }, limit: mostAtOnce },
    );
    const others = oldest.length < mostAtOnce ? [] : await this.walk.read(mostWalked, (last) => this.nextDue(last));
    const due = [...oldest, ...others].filter(({ nextAt }) => nextAt <= now);
    return { on, due: new Set(due.map(({ webhookId }) => webhookId)) };
  }

  /** What is due first of the next webhook behind that one. */
  private async nextDue(last: Due | null): Promise<Due | null> {
    const behind = last ? { webhookId: { $gt: last.webhookId } } : {};
    const [next] = await this.deliveries
      .within(working)
      .find(
        { state: 'waiting', ...behind },
        { fields: ['webhookId', 'nextAt'], sort: { webhookId: 1, nextAt: 1 }, limit: 1 },
      );
    return next ?? null;
  }

  scopeOf(orgId: OrgId): OrganisationScope {
    return working.in(orgId);
  }

  /** Null where another process works for it, or it is on no more. */
  lease({ webhookId: _id, holder, now, until }: Lease): Promise<WebhookRow | null> {
    return this.webhooks
      .within(working)
      .change({ _id, state: 'on', leasedUntil: { $lte: now } }, { $set: { leasedUntil: until, leasedBy: holder } });
  }

  /** False where it is leased no more, or on no more. */
  keepLease({ webhookId: _id, holder, until }: Omit<Lease, 'now'>): Promise<boolean> {
    return this.webhooks
      .within(working)
      .update({ _id, state: 'on', leasedBy: holder }, { $set: { leasedUntil: until } });
  }

  endLease({ webhookId: _id, holder, now }: Omit<Lease, 'until'>): Promise<boolean> {
    return this.webhooks
      .within(working)
      .update({ _id, leasedBy: holder }, { $set: { leasedUntil: now, leasedBy: '' } });
  }

  /** False where it is leased no more or somebody has moved it. */
  move(
    scope: OrganisationScope,
    tx: Transaction,
    { _id, leasedBy, from, to }: Pick<WebhookRow, '_id' | 'leasedBy'> & { readonly from: number; readonly to: number },
  ): Promise<boolean> {
    return this.webhooks.within(scope, tx).update({ _id, state: 'on', leasedBy, place: from }, { $set: { place: to } });
  }
}

/** Deliveries of one transaction are due at the same time: their ids have the order of the events. */
const inOrder = (one: DeliveryRow, other: DeliveryRow): number =>
  one.nextAt.getTime() - other.nextAt.getTime() || (one._id < other._id ? -1 : 1);
