import { Injectable } from '@nestjs/common';
import { Clock } from '@parley/platform/clock';
import { Sealer } from '@parley/platform/crypto';
import { goOn, type GoesOn, type JobInput, type JobRun, type JobRunner } from '@parley/platform/jobs';
import { jobScope, type OrganisationScope } from '@parley/platform/mongo';
import { job, Work } from '@parley/platform/work';
import { EventStream } from '../event-stream/index.ts';
import type { DeliveryRow, WebhookRow } from './webhook.collection.ts';
import type { tellWebhook } from './webhook-job.ts';
import { WebhookSender } from './webhook-sender.ts';
import { afterAttempt, newDelivery, wants } from './webhook.ts';
import { WebhooksRepository } from './webhooks.repository.ts';
import { secretPurpose } from './webhooks.service.ts';

const pageSize = 100;
const sentInTurn = 50;
/** Of one webhook; it goes on in the stream when there are fewer. */
const mostWaiting = 1_000;
/** Before the next delivery to a receiver that has just failed. */
const restMs = 1_000;
const working = job('tells webhooks');
const scopes = jobScope('telling webhooks');
type Input = JobInput<typeof tellWebhook>;

/**
 * Tells a webhook what happens, one page of the stream in each turn. A process that dies in a turn leaves it to
 * another one: what it was telling comes twice, under the same `webhook-id`.
 */
@Injectable()
export class WebhookWorker implements JobRunner<Input> {
  constructor(
    private readonly webhooks: WebhooksRepository,
    private readonly stream: EventStream,
    private readonly sender: WebhookSender,
    private readonly sealer: Sealer,
    private readonly work: Work,
    private readonly clock: Clock,
  ) {}

  async run({ webhookId, orgId }: Input, run: JobRun): Promise<GoesOn | void> {
    const scope = scopes.in(orgId);
    const row = await this.webhooks.find(scope, webhookId);
    if (row?.state !== 'on') return this.webhooks.giveUpWaiting(scope, webhookId);
    if (row.restsUntil && row.restsUntil > this.clock.now()) return goOn(row.restsUntil);
    const isMoreInStream = await this.take(scope, row);
    await this.tell(scope, row, run);
    const nextAt = isMoreInStream ? this.clock.now() : await this.webhooks.nextDueAt(scope, webhookId);
    if (nextAt) return goOn(nextAt);
  }

  /** Makes the deliveries of what has come in the stream, each once: the place moves with them. True where more may be there. */
  private async take(scope: OrganisationScope, row: WebhookRow): Promise<boolean> {
    const { _id: webhookId, orgId, place } = row;
    if ((await this.webhooks.countWaiting(scope, webhookId, mostWaiting)) >= mostWaiting) return false;
    const events = await this.stream.after(scope, place, pageSize);
    const to = events.at(-1)?.position ?? place;
    if (to === place) return false;
    const at = this.clock.now();
    const rows = events
      .filter(({ event }) => wants(row, event))
      .map(({ event }) => newDelivery({ webhookId, orgId, event, at }));
    await this.work.run(working, async (tx) => {
      const isMoved = await this.webhooks.move(scope, tx, { _id: webhookId, from: place, to });
      if (isMoved) await this.webhooks.addDeliveries(scope, tx, rows);
    });
    return events.length === pageSize;
  }

  /** Sends what is due until one fails, or until the turn is over: the next turn sends the rest. */
  private async tell(scope: OrganisationScope, row: WebhookRow, run: JobRun): Promise<void> {
    const secret = this.sealer.open(row.sealedSecret, row.orgId, secretPurpose);
    const due = await this.webhooks.due(scope, row._id, { now: this.clock.now(), limit: sentInTurn });
    for (const one of due) {
      if (run.shouldMakeRoom) return;
      run.signal.throwIfAborted();
      if (!(await this.webhooks.isOn(scope, row._id))) return;
      if (!(await this.attempt(scope, { row, one, secret, signal: run.signal }))) return;
    }
  }

  private async attempt(
    scope: OrganisationScope,
    { row, one, secret, signal }: { row: WebhookRow; one: DeliveryRow; secret: string; signal: AbortSignal },
  ): Promise<boolean> {
    const { url } = row;
    const outcome = await this.sender.send({ url, secret, event: one.event, now: this.clock.now(), signal });
    // The process ends, or somebody turned the webhook off: it counts as no attempt.
    if (outcome.lastFailure === 'no-answer') signal.throwIfAborted();
    const hasFailed = outcome.lastFailure !== null;
    const now = this.clock.now();
    const set = afterAttempt(one, outcome, { now, random: Math.random() });
    await this.work.run(working, async (tx) => {
      await this.webhooks.changeDelivery(scope, one, set, tx);
      if (hasFailed) await this.webhooks.rest(scope, tx, { _id: row._id, until: new Date(now.getTime() + restMs) });
      if (outcome.lastStatus === 410) await this.webhooks.noteGone(scope, tx, row._id);
    });
    if (outcome.lastStatus === 410) await this.webhooks.giveUpWaiting(scope, row._id);
    return !hasFailed;
  }
}
