import { Injectable, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import type { WebhookId } from '@parley/contracts';
import { Clock } from '@parley/platform/clock';
import { randomSecret, Sealer } from '@parley/platform/crypto';
import { FairTurns, Flows, type Waiting } from '@parley/platform/fair-turns';
import type { OrganisationScope } from '@parley/platform/mongo';
import { Platform } from '@parley/platform/service';
import { job, Work } from '@parley/platform/work';
import { EventStream } from '../event-stream/index.ts';
import type { DeliveryRow, WebhookRow } from './webhook.collection.ts';
import { WebhookSender } from './webhook-sender.ts';
import { afterAttempt, mostTurns, newDelivery, wants } from './webhook.ts';
import { WebhooksRepository, type Working } from './webhooks.repository.ts';
import { secretPurpose } from './webhooks.service.ts';

const sweepMs = 1_000;
/** Longer than an attempt takes. */
const leaseMs = 40_000;
/** So long nothing new is sent in a turn; what is left is for the next one. */
const turnMs = 10_000;
const pageSize = 100;
const sentInTurn = 50;
/** Of one webhook; it goes on in the stream when there are fewer. */
const mostWaiting = 1_000;
const working = job('tells webhooks');

/**
 * Tells webhooks what happens, by turns (ADR 0031): some have theirs at the same time, half of them of one flow, so those
 * that do not answer delay nobody else for long. One process at a time works for a webhook, by a lease. A process that dies in a turn leaves it to another one after the lease: what it
 * was telling comes twice, under the same `webhook-id`.
 */
@Injectable()
export class WebhookWorker implements OnModuleInit, OnModuleDestroy {
  private readonly holder = randomSecret();
  private readonly turns = new Map<WebhookId, Promise<void>>();
  private readonly fair = new FairTurns(mostTurns);
  private readonly ending = new AbortController();
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly webhooks: WebhooksRepository,
    private readonly stream: EventStream,
    private readonly sender: WebhookSender,
    private readonly sealer: Sealer,
    private readonly work: Work,
    private readonly clock: Clock,
    private readonly platform: Platform,
    private readonly flows: Flows,
  ) {}

  onModuleInit(): void {
    let looking: Promise<void> | null = null;
    this.timer = setInterval(() => {
      looking ??= this.look()
        .catch((error: unknown) => this.platform.logger.warn({ err: error }, 'webhooks could not be looked at'))
        .finally(() => (looking = null));
    }, sweepMs);
  }

  async onModuleDestroy(): Promise<void> {
    clearInterval(this.timer);
    this.ending.abort();
    await Promise.all(this.turns.values());
  }

  /** Begins the turns of all that have something to tell; resolves when they have begun. */
  async look(): Promise<void> {
    const { on, due } = await this.webhooks.toWork(this.clock.now());
    if (on.length === 0) return;
    const heads = await this.stream.headsOf([...new Set(on.map(({ orgId }) => orgId))]);
    const waiting = on.filter(
      ({ _id, orgId, place }) => !this.turns.has(_id) && (due.has(_id) || (heads.get(orgId) ?? 0) > place),
    );
    for (const one of this.fair.inOrder(waiting, (each) => this.waitingOf(each))) {
      if (this.ending.signal.aborted) return;
      const end = this.fair.begin(this.waitingOf(one));
      if (end) this.begin(one, end);
    }
  }

  /** The one whose last turn is longest ago has waited for longest. */
  private waitingOf({ orgId, createdBy: person, leasedUntil: arrivedAt }: Working): Waiting {
    return { flow: this.flows.of(orgId), person, arrivedAt };
  }

  /** Until every turn that has begun is over; for tests. */
  async idle(): Promise<void> {
    await Promise.all(this.turns.values());
  }

  private begin(one: Working, end: () => void): void {
    const turn = this.turn(one)
      .catch((error: unknown) => this.platform.logger.warn({ err: error }, 'a webhook could not be told'))
      .finally(() => {
        end();
        this.turns.delete(one._id);
      });
    this.turns.set(one._id, turn);
  }

  private async turn({ _id: webhookId, orgId }: Working): Promise<void> {
    const { holder } = this;
    const row = await this.webhooks.lease({ webhookId, holder, now: this.clock.now(), until: this.leaseEnd() });
    if (!row) return;
    try {
      const scope = this.webhooks.scopeOf(orgId);
      await this.take(scope, row);
      await this.tell(scope, row);
    } finally {
      await this.webhooks.endLease({ webhookId, holder, now: this.clock.now() });
    }
  }

  /** Makes the deliveries of what has come in the stream, each once: the place moves with them. */
  private async take(scope: OrganisationScope, row: WebhookRow): Promise<void> {
    const { _id: webhookId, orgId, place } = row;
    if ((await this.webhooks.countWaiting(scope, webhookId, mostWaiting)) >= mostWaiting) return;
    const events = await this.stream.after(scope, place, pageSize);
    const to = events.at(-1)?.position ?? place;
    if (to === place) return;
    const at = this.clock.now();
    const rows = events
      .filter(({ event }) => wants(row, event))
      .map(({ event }) => newDelivery({ webhookId, orgId, event, at }));
    await this.work.run(working, async (tx) => {
      const isMoved = await this.webhooks.move(scope, tx, { _id: webhookId, leasedBy: this.holder, from: place, to });
      if (isMoved) await this.webhooks.addDeliveries(scope, tx, rows);
    });
  }

  /** Ends at the first that fails, or after the time of a turn: the next one goes on with what is due then. */
  private async tell(scope: OrganisationScope, row: WebhookRow): Promise<void> {
    const secret = this.sealer.open(row.sealedSecret, row.orgId, secretPurpose);
    const due = await this.webhooks.due(scope, row._id, { now: this.clock.now(), limit: sentInTurn });
    const began = performance.now();
    for (const one of due) {
      if (performance.now() - began > turnMs) return;
      const isMine = await this.webhooks.keepLease({ webhookId: row._id, holder: this.holder, until: this.leaseEnd() });
      if (!isMine || this.ending.signal.aborted) return;
      if (!(await this.attempt(scope, { row, one, secret }))) return;
    }
  }

  private async attempt(
    scope: OrganisationScope,
    { row, one, secret }: { readonly row: WebhookRow; readonly one: DeliveryRow; readonly secret: string },
  ): Promise<boolean> {
    const { signal } = this.ending;
    const { url } = row;
    const outcome = await this.sender.send({ url, secret, event: one.event, now: this.clock.now(), signal });
    // Cut by the end of this process: it counts as no attempt.
    if (signal.aborted && outcome.lastFailure === 'no-answer') return false;
    const set = afterAttempt(one, outcome, { now: this.clock.now(), random: Math.random() });
    await this.work.run(working, async (tx) => {
      await this.webhooks.changeDelivery(scope, one, set, tx);
      if (outcome.lastStatus === 410) await this.webhooks.noteGone(scope, tx, row._id);
    });
    if (outcome.lastStatus === 410) await this.webhooks.giveUpWaiting(scope, row._id);
    return outcome.lastFailure === null;
  }

  private leaseEnd(): Date {
    return new Date(this.clock.now().getTime() + leaseMs);
  }
}
