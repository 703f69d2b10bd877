import { Injectable } from '@nestjs/common';
import {
  checkTypes,
  type changeWebhook,
  type createWebhook,
  type deleteWebhook,
  type Delivery,
  type listDeliveries,
  type listWebhooks,
  type redeliver,
  type testWebhook,
  type WebhookId,
  webhookChanged,
} from '@parley/contracts';
import { Clock } from '@parley/platform/clock';
import { Sealer } from '@parley/platform/crypto';
import { newId } from '@parley/platform/ids';
import type { OrganisationScope } from '@parley/platform/mongo';
import type { InputOf } from '@parley/platform/service';
import { Work } from '@parley/platform/work';
import { Problem, type EventId, type ResponseOf } from '@parley/protocol';
import { EventStream } from '../event-stream/index.ts';
import type { WebhookRow } from './webhook.collection.ts';
import { tellWebhook } from './webhook-job.ts';
import { newWebhookSecret, WebhookSender } from './webhook-sender.ts';
import { newDelivery, testEvent, toDelivery, toWebhook } from './webhook.ts';
import { WebhooksRepository } from './webhooks.repository.ts';

export const secretPurpose = 'webhook secret';
type Created = ResponseOf<typeof createWebhook>;

/** An organisation's webhooks, for whoever manages them. */
@Injectable()
export class WebhooksService {
  constructor(
    private readonly webhooks: WebhooksRepository,
    private readonly stream: EventStream,
    private readonly sender: WebhookSender,
    private readonly sealer: Sealer,
    private readonly work: Work,
    private readonly clock: Clock,
  ) {}

  list({ scope, query }: InputOf<typeof listWebhooks>): Promise<ResponseOf<typeof listWebhooks>> {
    return this.webhooks.list(scope, query);
  }

  async create({ scope, principal, body }: InputOf<typeof createWebhook>): Promise<Created> {
    const { id: _id, url, types } = body;
    const { orgId } = scope;
    checkTypes(types, 'body.types');
    await this.sender.check(url);
    return this.work.run(principal, async (tx) => {
      const known = await this.webhooks.find(scope, _id, tx);
      if (known) return { webhook: toWebhook(known), secret: null };
      const secret = newWebhookSecret();
      const { row, isNew } = await this.webhooks.insert(scope, tx, {
        _id,
        orgId,
        url,
        types,
        state: 'on',
        sealedSecret: this.sealer.seal(secret, orgId, secretPurpose),
        place: await this.stream.hold(scope, tx),
        version: 1,
        createdAt: this.clock.now(),
        createdBy: principal.userId,
        createdByName: principal.name,
      });
      if (isNew)
        tx.record(webhookChanged, { orgId, webhookId: _id, by: principal.userId, before: null, after: auditedOf(row) });
      return { webhook: toWebhook(row), secret: isNew ? secret : null };
    });
  }

  async change({
    scope,
    principal,
    params,
    body,
  }: InputOf<typeof changeWebhook>): Promise<ResponseOf<typeof changeWebhook>> {
    const { webhookId: _id } = params;
    const before = await this.find(scope, _id);
    const { version, url, types, isOn } = body;
    checkTypes(types, 'body.types');
    if (isOn) await this.sender.check(url);
    // The former host knows the secret and could sign in our name.
    const secret = new URL(url).host === new URL(before.url).host ? null : newWebhookSecret();
    const sealedSecret = secret === null ? undefined : this.sealer.seal(secret, scope.orgId, secretPurpose);
    const changed = await this.work.run(principal, async (tx) => {
      // One that is turned on begins with what happens then.
      const place = before.state === 'on' ? undefined : await this.stream.hold(scope, tx);
      const set = { _id, version, url, types, state: isOn ? ('on' as const) : ('off' as const) };
      const row = await this.webhooks.change(scope, tx, { ...set, place, sealedSecret });
      if (!row) return null;
      if (!isOn) tx.cancel(tellWebhook, _id);
      const told = { orgId: scope.orgId, webhookId: _id, by: principal.userId };
      tx.record(webhookChanged, { ...told, before: auditedOf(before), after: auditedOf(row) });
      return row;
    });
    if (!changed) throw new Problem('platform.conflict', { current: toWebhook(await this.find(scope, _id)) });
    if (!isOn) await this.webhooks.giveUpWaiting(scope, _id);
    return { ...toWebhook(changed), secret };
  }

  async delete({ scope, principal, params }: InputOf<typeof deleteWebhook>): Promise<void> {
    const { webhookId } = params;
    await this.work.run(principal, async (tx) => {
      const row = await this.webhooks.find(scope, webhookId, tx);
      if (!row || !(await this.webhooks.delete(scope, tx, webhookId))) throw new Problem('platform.not-found');
      tx.cancel(tellWebhook, webhookId);
      const told = { orgId: scope.orgId, webhookId, by: principal.userId };
      tx.record(webhookChanged, { ...told, before: auditedOf(row), after: null });
    });
    await this.webhooks.deleteDeliveries(scope, webhookId);
  }

  async test({ scope, principal, params }: InputOf<typeof testWebhook>): Promise<{ eventId: EventId }> {
    const { webhookId } = params;
    const { orgId } = scope;
    const webhook = await this.findOn(scope, webhookId);
    const [at, id] = [this.clock.now(), newId('event')];
    const event = testEvent({ id, webhookId, orgId, at });
    const row = newDelivery({ webhookId, orgId, event, at });
    await this.work.run(principal, async (tx) => {
      await this.webhooks.addDeliveries(scope, tx, [row]);
      this.webhooks.queue(webhook, tx);
    });
    return { eventId: id };
  }

  async deliveries({
    scope,
    params,
    query,
  }: InputOf<typeof listDeliveries>): Promise<ResponseOf<typeof listDeliveries>> {
    const { _id } = await this.find(scope, params.webhookId);
    return this.webhooks.listDeliveries(scope, _id, query);
  }

  async redeliver({ scope, principal, params }: InputOf<typeof redeliver>): Promise<Delivery> {
    const webhook = await this.findOn(scope, params.webhookId);
    const again = { state: 'waiting', attempts: 0, nextAt: this.clock.now() } as const;
    return this.work.run(principal, async (tx) => {
      const row = await this.webhooks.changeDelivery(scope, params, again, tx);
      if (!row) throw new Problem('platform.not-found');
      this.webhooks.queue(webhook, tx);
      return toDelivery(row);
    });
  }

  private async findOn(scope: OrganisationScope, webhookId: WebhookId): Promise<WebhookRow> {
    const row = await this.find(scope, webhookId);
    if (row.state === 'on') return row;
    throw new Problem('platform.conflict', { detail: 'The webhook is off. Turn it on first.' });
  }

  private async find(scope: OrganisationScope, webhookId: WebhookId): Promise<WebhookRow> {
    const row = await this.webhooks.find(scope, webhookId);
    if (!row) throw new Problem('platform.not-found');
    return row;
  }
}

const auditedOf = ({ url, types, state }: WebhookRow) => ({
  host: new URL(url).host,
  types: [...types],
  isOn: state === 'on',
});
