import { Injectable, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import { queueInvitationMail } from '@parley/contracts';
import { Clock } from '@parley/platform/clock';
import { Doorbell } from '@parley/platform/doorbell';
import { FairQueue, FairTurns } from '@parley/platform/fair-turns';
import { jobScope, Mongo, type Rows } from '@parley/platform/mongo';
import { Platform } from '@parley/platform/service';
import { Sweep, untilIdle } from '@parley/platform/sweep';
import { MembershipsRepository } from '../rights/index.ts';
import { invitationRows, type InvitationRow } from './invitation.collection.ts';

/** Rung when invitations wait to be mailed. */
export const invitationsToMail = 'org:invitations-to-mail';

const mailing = jobScope('having invitations mailed');
const asking = { deadlineMs: 10_000, failMode: 'refuse' } as const;
const sweepMs = 1_000;
/** Each look reads who waits, which is dear while thousands do; and what people do goes before. */
const looksApartMs = 250;
/** People go first: while the process is busy, thousands of invitations wait that long between two looks. */
const waitsMs = 1_000;
const againMs = 2_000;
const leaseMs = 30_000;
/** Mails that auth is asked for at the same time; of one flow half. */
const mostAtOnce = 16;
const mostSeen = 100;
/** Of those that wait: whose turn it is. */
const seenFields = ['orgId', 'inviterId', 'mailEventId', 'mailDueAt', 'mailFlow', 'createdAt'] as const;
type Seen = Pick<InvitationRow, '_id' | (typeof seenFields)[number]>;

/**
 * Has auth mail invitations by turns (ADR 0031), so that the many of one organisation keep nobody else's waiting. One
 * event leads to one mail and one secret, of which the hash comes back, however often auth is asked: also by another
 * process after the lease of one that died.
 */
@Injectable()
export class InvitationMailer implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly invitations: Rows<typeof invitationRows>;
  private readonly turns = new FairTurns(mostAtOnce);
  private readonly queue: FairQueue<Seen>;
  private readonly running = new Map<string, Promise<void>>();
  private isStopped = false;
  private stopListening = () => {};
  private readonly stopping = new AbortController();
  private readonly sweep = new Sweep({
    run: async () => {
      await untilIdle({ mostMs: waitsMs, signal: this.stopping.signal });
      await this.startDue();
    },
    everyMs: sweepMs,
    apartMs: looksApartMs,
    whenFailed: (err) => this.platform.logger.warn({ err }, 'looking for invitations to mail failed'),
  });

  constructor(
    mongo: Mongo,
    private readonly memberships: MembershipsRepository,
    private readonly clock: Clock,
    private readonly doorbell: Doorbell,
    private readonly platform: Platform,
  ) {
    this.invitations = mongo.rows(invitationRows);
    this.queue = new FairQueue({ turns: this.turns, waitingOf, next: (last) => this.next(last) });
  }

  onApplicationBootstrap(): void {
    this.stopListening = this.doorbell.on(invitationsToMail, () => this.sweep.wake());
    this.sweep.start();
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.isStopped = true;
    this.stopping.abort();
    this.stopListening();
    await this.sweep.stop();
    await Promise.all(this.running.values());
  }

  /** Resolves when nothing is due any more, or what is left has to be tried again later. */
  async mailAll(): Promise<void> {
    while ((await this.startDue()) > 0) await Promise.all(this.running.values());
  }

  /** Starts what has its turn, and returns how much that is. */
  private async startDue(): Promise<number> {
    if (this.turns.free === 0) return 0;
    const due = { mailDueAt: { $lte: this.clock.now() } } as const;
    const oldest = await this.invitations
      .within(mailing)
      .find(due, { sort: { mailDueAt: 1 }, limit: mostSeen, fields: seenFields });
    let started = 0;
    if (oldest.length === 0) return started;
    for (const row of await this.queue.inOrder(oldest, mostSeen)) {
      if (this.isStopped) break;
      if (this.running.has(row._id) || (row.mailDueAt ?? this.clock.now()) > this.clock.now()) continue;
      const end = this.turns.begin(waitingOf(row));
      if (!end) continue;
      this.start(row, end);
      started += 1;
    }
    return started;
  }

  private start(row: Seen, end: () => void): void {
    const mailed = this.take(row)
      .then((taken) => (taken ? this.mail(taken) : undefined))
      .catch((error: unknown) => this.tryLater(row, error))
      .finally(() => {
        end();
        this.running.delete(row._id);
        this.sweep.wake();
      });
    this.running.set(row._id, mailed);
  }

  /** Null where it was taken, or mailed, since it was read. Who dies gives it back after the lease. */
  private take({ _id, orgId, mailEventId, mailDueAt = null }: Seen): Promise<InvitationRow | null> {
    const leaseUntil = new Date(this.clock.now().getTime() + leaseMs);
    return this.invitations
      .within(mailing.in(orgId))
      .change({ _id, mailEventId, mailDueAt }, { $set: { mailDueAt: leaseUntil } });
  }

  /** What was resent or has ended meanwhile is left alone. */
  private async mail(row: InvitationRow): Promise<void> {
    const { _id: invitationId, orgId, email, mailEventId, round } = row;
    const isWanted = row.status === 'pending' && email !== null && mailEventId;
    const change = isWanted ? { tokenHash: await this.queueMail(row, { eventId: mailEventId, to: email }) } : {};
    await this.invitations
      .within(mailing.in(orgId))
      .update({ _id: invitationId, round, mailEventId }, { $set: { ...change, mailEventId: null, mailDueAt: null } });
  }

  private async queueMail(
    row: InvitationRow,
    { eventId, to }: { readonly eventId: NonNullable<InvitationRow['mailEventId']>; readonly to: string },
  ): Promise<string> {
    const { locale, inviterName: inviter, inviterId, orgId, _id: invitationId, round, message } = row;
    const { name: organisation } = await this.memberships.organisation(mailing.in(orgId));
    const invitation = { orgId, invitationId, round };
    const endsAt = row.endsAt.toISOString();
    const body = { eventId, invitation, to, locale, organisation, inviter, inviterId, endsAt, message };
    return (await this.platform.peers.call(queueInvitationMail, { body }, asking)).tokenHash;
  }

  private async tryLater({ _id, orgId, mailEventId }: Seen, error: unknown): Promise<void> {
    this.platform.logger.warn(
      { invitationId: _id, err: error },
      'auth was not asked to mail an invitation; again soon',
    );
    const mailDueAt = new Date(this.clock.now().getTime() + againMs);
    await this.invitations
      .within(mailing.in(orgId))
      .update({ _id, mailEventId }, { $set: { mailDueAt } })
      .catch(() => undefined);
  }

  /** The first one of the next person, or else of the next organisation. */
  private async next(last: Seen | null): Promise<Seen | null> {
    const rows = this.invitations.within(mailing);
    const options = { sort: { orgId: 1, inviterId: 1, mailDueAt: 1 }, limit: 1, fields: seenFields } as const;
    const waiting = { mailDueAt: { $lte: this.clock.now() } } as const;
    if (!last) return (await rows.find(waiting, options))[0] ?? null;
    const { orgId, inviterId } = last;
    const [colleague] = await rows.find({ ...waiting, orgId, inviterId: { $gt: inviterId } }, options);
    return colleague ?? (await rows.find({ ...waiting, orgId: { $gt: orgId } }, options))[0] ?? null;
  }
}

function waitingOf({ orgId, inviterId, mailDueAt, mailFlow, createdAt }: Seen) {
  return { flow: mailFlow ?? orgId, person: inviterId, arrivedAt: mailDueAt ?? createdAt };
}
