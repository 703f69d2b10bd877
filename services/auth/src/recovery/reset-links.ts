import { Injectable } from '@nestjs/common';
import type { MailId } from '@parley/contracts';
import { Clock } from '@parley/platform/clock';
import { hashSecret, randomSecret } from '@parley/platform/crypto';
import {
  Mongo,
  type PersonScope,
  type PlatformScope,
  type RowOf,
  type Rows,
  type Transaction,
} from '@parley/platform/mongo';
import { MailsService } from '../mails/index.ts';
import { resetLinkRows } from './recovery.collection.ts';

export const linkMinutes = 30;
/** Between two mails to one person, whoever asks. */
const pauseMs = 60_000;
export type ResetLink = RowOf<typeof resetLinkRows>;

/** The links by which passwords are set: single use, half an hour, the newest one only. */
@Injectable()
export class ResetLinks {
  private readonly links: Rows<typeof resetLinkRows>;

  constructor(
    mongo: Mongo,
    private readonly mails: MailsService,
    private readonly clock: Clock,
  ) {
    this.links = mongo.rows(resetLinkRows);
  }

  endOfNew(from = this.clock.now()): Date {
    return new Date(from.getTime() + linkMinutes * 60_000);
  }

  /** A new token; those that the person had before work no more. What is stored of it is its hash. */
  async make(tx: Transaction, scope: PersonScope, link: Pick<ResetLink, 'mailId' | 'endsAt'>): Promise<string> {
    await this.endAll(tx, scope);
    const token = randomSecret();
    const { userId } = scope;
    await this.links.within(scope, tx).insert({ _id: hashSecret(token), userId, ...link, createdAt: this.clock.now() });
    return token;
  }

  /** Null for a token that never was, was used, was replaced or has ended. */
  async find(scope: PlatformScope, token: string): Promise<ResetLink | null> {
    const link = await this.links.within(scope).findById(hashSecret(token));
    return link && link.endsAt > this.clock.now() ? link : null;
  }

  /** Whether it went out by mail; one that a platform admin hands over did not (ADR 0036). */
  async isMailed({ mailId }: ResetLink): Promise<boolean> {
    return mailId !== null && (await this.mails.isSent(mailId));
  }

  /** Whether the person has got a link so recently that another one would only fill the mailbox. */
  async isJustMade(scope: PersonScope): Promise<boolean> {
    const since = new Date(this.clock.now().getTime() - pauseMs);
    return (await this.links.within(scope).find({}, { fields: ['createdAt'] })).some(
      ({ createdAt }) => createdAt > since,
    );
  }

  /** Uses it up; false when somebody else has. */
  async use(tx: Transaction, scope: PersonScope, { _id }: ResetLink): Promise<boolean> {
    const used = await this.links.within(scope, tx).delete({ _id, endsAt: { $gt: this.clock.now() } });
    return used;
  }

  /** None of the person's links works from here on, nor is one handed over. */
  async endAll(tx: Transaction, scope: PersonScope): Promise<void> {
    const links = this.links.within(scope, tx);
    const mailIds = (await links.find({}, { fields: ['mailId'] })).flatMap(({ mailId }): MailId[] =>
      mailId ? [mailId] : [],
    );
    await links.deleteMany({});
    await this.mails.withdraw(tx, mailIds);
  }
}
