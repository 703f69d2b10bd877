import { Injectable, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import { mailEnded, withoutInvisible } from '@parley/contracts';
import { Clock } from '@parley/platform/clock';
import { every } from '@parley/platform/every';
import { FairTurns, Flows } from '@parley/platform/fair-turns';
import { Mailer, MailRefused } from '@parley/platform/mailer';
import { jobScope, Mongo, type Rows, type Transaction } from '@parley/platform/mongo';
import { Platform } from '@parley/platform/service';
import { giveWay, Sweep } from '@parley/platform/sweep';
import { job, Work } from '@parley/platform/work';
import { composeMail } from './compose-mail.ts';
import { mailRows } from './mail.collection.ts';
import { leaseMs, nextTry } from './mail.ts';
import { MailsService, type MailRow } from './mails.service.ts';
import { WaitingMails, type WaitingMail } from './waiting-mails.ts';

type Ended = { readonly state: 'sent' | 'kept' | 'failed'; readonly failure: string | null };

const sending = jobScope('getting mails out');
const sweepMs = 1_000;
const forgetEveryMs = 5_000;
/** Each look reads who waits, which is dear while thousands do. */
const looksApartMs = 100;
/** Emails sent at the same time, half of them of one flow: a server that hangs holds up no more. */
const mostAtOnce = 4;
/** Of what a server says: it may be anybody's. */
const longestFailure = 300;

/**
 * Gets waiting mails out by turns (ADR 0031), each by whoever takes it first: taking is a compare-and-set that puts the next try off, so two
 * processes never send one mail at the same time, and one that dies gives it back after the lease (ADR 0015).
 */
@Injectable()
export class MailSender implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly mails: Rows<typeof mailRows>;
  private readonly running = new Set<Promise<void>>();
  private readonly turns = new FairTurns(mostAtOnce);
  private readonly waiting: WaitingMails;
  private isStopped = false;
  readonly upkeep = every('forgets links that have ended', forgetEveryMs, () => this.forgetEndedLinks());
  private readonly sweep = new Sweep({
    run: async () => {
      await giveWay();
      await this.takeSome();
    },
    everyMs: sweepMs,
    apartMs: looksApartMs,
    whenFailed: (err) => this.platform.logger.warn({ err }, 'looking for mails failed'),
  });

  constructor(
    mongo: Mongo,
    private readonly service: MailsService,
    private readonly mailer: Mailer,
    private readonly work: Work,
    private readonly clock: Clock,
    private readonly platform: Platform,
    flows: Flows,
  ) {
    this.mails = mongo.rows(mailRows);
    this.waiting = new WaitingMails({ mongo, flows, turns: this.turns });
  }

  async onApplicationBootstrap(): Promise<void> {
    // What a process that is gone had taken; where there are others, its lease runs out.
    if (this.platform.isAlone)
      await this.mails
        .within(sending)
        .updateMany({ state: 'waiting', isTaken: true }, { $set: { isTaken: false, dueAt: this.clock.now() } });
    this.sweep.start();
    this.platform.metrics.gauge('parley_mails_waiting', { service: 'auth' }, () =>
      this.mails.within(sending).count({ state: 'waiting' }),
    );
  }

  /** What is on its way arrives or fails; what waits is for the next process. */
  async beforeApplicationShutdown(): Promise<void> {
    this.isStopped = true;
    await this.sweep.stop();
    await Promise.all(this.running);
  }

  /** Takes what is due, as far as there is room, and sends it. Resolves when all of it has arrived or failed. */
  async sendDue(): Promise<void> {
    await this.forgetEndedLinks();
    while (await this.takeSome()) await Promise.all(this.running);
    await Promise.all(this.running);
  }

  /** Takes of what is due now what has its turn; false when it got none. */
  private async takeSome(): Promise<boolean> {
    let hasTaken = false;
    if (this.turns.free === 0) return hasTaken;
    for (const seen of await this.waiting.inOrder(this.clock.now())) {
      const end = this.isStopped ? null : this.turns.begin(this.waiting.waitingOf(seen));
      if (!end) continue;
      const row = await this.take(seen).catch((error: unknown) => {
        end();
        throw error;
      });
      if (row) this.start(row, end);
      else end();
      hasTaken ||= row !== null;
    }
    return hasTaken;
  }

  private start(row: MailRow, end: () => void): void {
    const sent = this.send(row)
      .catch((error: unknown) =>
        this.platform.logger.error({ mailId: row._id, err: error }, 'a mail was not dealt with'),
      )
      .finally(() => {
        end();
        this.running.delete(sent);
        this.sweep.wake();
      });
    this.running.add(sent);
  }

  /** Null when another process has taken it. */
  private take({ _id, attempts }: WaitingMail): Promise<MailRow | null> {
    const now = this.clock.now();
    return this.mails
      .within(sending)
      .change(
        { _id, attempts, state: 'waiting', dueAt: { $lte: now } },
        { $set: { dueAt: new Date(now.getTime() + leaseMs), isTaken: true }, $inc: { attempts: 1 } },
      );
  }

  private async send(row: MailRow): Promise<void> {
    const content = this.service.contentOf(row);
    if (content === null) return this.end(row, { state: 'failed', failure: 'Its link was replaced by a newer one.' });
    if (row.giveUpAt <= this.clock.now())
      return this.end(row, { state: 'failed', failure: row.failure ?? 'It could not be sent in time.' });
    const link = await this.service.linkOf(row);
    try {
      await this.mailer.send({ id: row._id, to: row.to, ...composeMail(content, row.locale, link) });
    } catch (error) {
      return this.hasFailed(row, error);
    }
    await this.platform.failpoint('mail-sent-not-marked');
    return this.end(row, { state: this.mailer.delivers ? 'sent' : 'kept', failure: null });
  }

  private async hasFailed(row: MailRow, error: unknown): Promise<void> {
    const failure = withoutInvisible(String((error as Error).message)).slice(0, longestFailure);
    // No address: logs name no people.
    this.platform.logger.warn(
      { mailId: row._id, attempts: row.attempts, failure: codeOf(error) },
      'a mail was not taken',
    );
    if (error instanceof MailRefused) return this.end(row, { state: 'failed', failure });
    const now = this.clock.now();
    const failingSince = row.failingSince ?? now;
    await this.update(row, { dueAt: nextTry(row.attempts, now), failure, failingSince });
  }

  /** Out of here, its secret goes; a link that somebody has to hand over stays until it ends. */
  private async end(row: MailRow, { state, failure }: Ended): Promise<void> {
    const now = this.clock.now();
    const isOver = state === 'sent' || row.linkEndsAt === null || row.linkEndsAt <= now;
    const changed = {
      state,
      failure,
      failingSince: null,
      doneAt: now,
      ...(isOver && { sealed: null, linkEndsAt: null }),
    };
    const { _id: mailId, kind, invitation = null } = row;
    await this.work.run(job('gets mails out'), async (tx) => {
      if (await this.update(row, changed, tx)) tx.record(mailEnded, { mailId, kind, state, invitation });
    });
  }

  /** False where somebody else has taken it meanwhile. */
  private update(
    { _id, attempts }: MailRow,
    changed: Partial<Omit<MailRow, '_id'>>,
    tx?: Transaction,
  ): Promise<boolean> {
    return this.mails
      .within(sending, tx)
      .update({ _id, attempts, state: 'waiting' }, { $set: { ...changed, isTaken: false } });
  }

  private async forgetEndedLinks(): Promise<void> {
    const ended = { linkEndsAt: { $lte: this.clock.now() }, state: { $in: ['kept', 'failed'] } } as const;
    if (await this.mails.within(sending).exists(ended))
      await this.mails.within(sending).updateMany(ended, { $set: { sealed: null, linkEndsAt: null } });
  }
}

const codeOf = (error: unknown): unknown => {
  const { code, responseCode } = error as { code?: unknown; responseCode?: unknown };
  return responseCode ?? code ?? null;
};
