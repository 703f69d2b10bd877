import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { mailEnded, withoutInvisible } from '@parley/contracts';
import { Clock } from '@parley/platform/clock';
import { every } from '@parley/platform/every';
import { goOn, type GoesOn, type JobInput, type JobRunner } from '@parley/platform/jobs';
import { Mailer, MailRefused } from '@parley/platform/mailer';
import { jobScope, Mongo, type Rows, type Transaction } from '@parley/platform/mongo';
import { Platform } from '@parley/platform/service';
import { giveWay } from '@parley/platform/give-way';
import { job, Work } from '@parley/platform/work';
import { composeMail } from './compose-mail.ts';
import { mailRows } from './mail.collection.ts';
import type { sendMail } from './mail-jobs.ts';
import { nextAttempt } from './mail.ts';
import { MailsService, type MailRow } from './mails.service.ts';

type Ended = { readonly state: 'sent' | 'kept' | 'failed'; readonly failure: string | null };
type Input = JobInput<typeof sendMail>;

const sending = jobScope('getting mails out');
const forgetEveryMs = 60_000;
/** Of what a server says: it may be anybody's. */
const longestFailure = 300;

/**
 * Sends a mail. The attempt is counted before it begins, and changes the mail only while that is the last one. A process
 * that dies between the server's answer and its own note leaves the mail to be sent once more (ADR 0015).
 */
@Injectable()
export class MailSender implements JobRunner<Input>, OnApplicationBootstrap {
  private readonly mails: Rows<typeof mailRows>;
  readonly upkeep = every('forgets links that have ended', forgetEveryMs, () => this.forgetEndedLinks());

  constructor(
    mongo: Mongo,
    private readonly service: MailsService,
    private readonly mailer: Mailer,
    private readonly work: Work,
    private readonly clock: Clock,
    private readonly platform: Platform,
  ) {
    this.mails = mongo.rows(mailRows);
  }

  onApplicationBootstrap(): void {
    this.platform.metrics.gauge('parley_mails_waiting', { service: 'auth' }, () =>
      this.mails.within(sending).count({ state: 'waiting' }),
    );
  }

  async run({ mailId }: Input): Promise<GoesOn | void> {
    await giveWay();
    const waiting = { _id: mailId, state: 'waiting' } as const;
    const row = await this.mails.within(sending).change(waiting, { $inc: { attempts: 1 } });
    if (row) return this.send(row);
  }

  async giveUp({ mailId }: Input): Promise<void> {
    const row = await this.mails.within(sending).findById(mailId);
    if (row) await this.end(row, { state: 'failed', failure: row.failure ?? 'It could not be sent.' });
  }

  private async send(row: MailRow): Promise<GoesOn | void> {
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

  private async hasFailed(row: MailRow, error: unknown): Promise<GoesOn | void> {
    const failure = withoutInvisible(String((error as Error).message)).slice(0, longestFailure);
    // No address: logs name no people.
    this.platform.logger.warn(
      { mailId: row._id, attempts: row.attempts, failure: codeOf(error) },
      'a mail was not taken',
    );
    if (error instanceof MailRefused) return this.end(row, { state: 'failed', failure });
    const now = this.clock.now();
    await this.update(row, { failure, failingSince: row.failingSince ?? now });
    return goOn(nextAttempt(row.attempts, now));
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

  /** False where another attempt has begun meanwhile, or ended it. */
  private update(
    { _id, attempts }: MailRow,
    changed: Partial<Omit<MailRow, '_id'>>,
    tx?: Transaction,
  ): Promise<boolean> {
    return this.mails.within(sending, tx).update({ _id, attempts, state: 'waiting' }, { $set: changed });
  }

  async forgetEndedLinks(): Promise<void> {
    const ended = { linkEndsAt: { $lte: this.clock.now() }, state: { $in: ['kept', 'failed'] } } as const;
    if (await this.mails.within(sending).exists(ended))
      await this.mails.within(sending).updateMany(ended, { $set: { sealed: null, linkEndsAt: null } });
  }
}

const codeOf = (error: unknown): unknown => {
  const { code, responseCode } = error as { code?: unknown; responseCode?: unknown };
  return responseCode ?? code ?? null;
};
