import { Injectable } from '@nestjs/common';
import {
  checkInvitation,
  mailRevealed,
  type InvitationId,
  type ListedMail,
  type listMails,
  type Locale,
  type MailDelivery,
  type MailId,
  type showMailLink,
} from '@parley/contracts';
import { Clock } from '@parley/platform/clock';
import { hashSecret, Sealer } from '@parley/platform/crypto';
import { derivedId } from '@parley/platform/ids';
import { Mailer } from '@parley/platform/mailer';
import { jobScope, Mongo, type RowOf, type Rows, type Transaction } from '@parley/platform/mongo';
import { Platform, type InputOf } from '@parley/platform/service';
import { Work } from '@parley/platform/work';
import { Problem, type EventId, type OrgId, type ResponseOf, type UserId } from '@parley/protocol';
import { PublicAddress } from '../auth.config.ts';
import { linkPages, type MailContent } from './mail-content.ts';
import { mailRows } from './mail.collection.ts';
import { queueSending } from './mail-jobs.ts';
import { giveUpAt } from './mail.ts';

export type MailRow = RowOf<typeof mailRows>;

/** What is sealed of a mail until it is out. */
type Sealed = { readonly content: MailContent; readonly token: string | null };
export type Asked = {
  /** The event that leads to this mail, and to no other one to the same recipient. */
  readonly eventId: EventId;
  /** Whom of several it is for, where the event leads to a mail to each of them. */
  readonly recipient?: UserId;
  readonly to: string;
  readonly locale: Locale;
  readonly content: MailContent;
  /** A secret that its link carries, and until when it works. */
  readonly link?: { readonly token: string; readonly endsAt: Date };
  readonly invitation?: MailRow['invitation'];
  /** Whose turn it takes; a mail about an account goes first. */
  readonly sentFor?: { readonly orgId: OrgId; readonly person?: UserId | undefined };
};

const asking = { deadlineMs: 2_000, failMode: { otherwise: null } } as const;
const mailing = jobScope('mails belong to the installation');
/** No further: the banner says how many, not how many exactly. */
const mostCounted = 1_000;

/** Mails to people: asked for by what happened, listed for platform admins. `MailSender` gets them out. */
@Injectable()
export class MailsService {
  private readonly mails: Rows<typeof mailRows>;

  constructor(
    mongo: Mongo,
    private readonly sealer: Sealer,
    private readonly mailer: Mailer,
    private readonly work: Work,
    private readonly clock: Clock,
    private readonly address: PublicAddress,
    private readonly platform: Platform,
  ) {
    this.mails = mongo.rows(mailRows);
  }

  /** Asks for a mail, as part of the transaction. Asked again for the same event it gives what there is. */
  async queue(tx: Transaction, asked: Asked): Promise<MailRow> {
    const { row, isNew } = await this.mails.within(mailing, tx).insertOnce(this.fresh(asked));
    if (isNew) queueSending(tx, row);
    return row;
  }

  /** The same for several, in a few commands; in the same order. */
  async queueAll(tx: Transaction, asked: readonly Asked[]): Promise<MailRow[]> {
    const rows = asked.map((one) => this.fresh(one));
    const there = await this.mails.within(mailing, tx).insertNew(rows);
    const known = new Map(there.map((row) => [row._id, row]));
    for (const row of rows) if (!known.has(row._id)) queueSending(tx, row);
    return rows.map((row) => known.get(row._id) ?? row);
  }

  private fresh({ eventId, recipient, to, locale, content, link, invitation = null, sentFor }: Asked): MailRow {
    const now = this.clock.now();
    const mailId = derivedId('mail', recipient === undefined ? [eventId] : [eventId, recipient]);
    const sealed: Sealed = { content, token: link?.token ?? null };
    return {
      _id: mailId,
      to,
      kind: content.kind,
      locale,
      orgId: sentFor?.orgId ?? null,
      person: sentFor?.person ?? null,
      state: 'waiting',
      attempts: 0,
      giveUpAt: giveUpAt(now, link?.endsAt ?? null),
      sealed: this.sealer.seal(JSON.stringify(sealed), mailId, purpose),
      tokenHash: link ? hashSecret(link.token) : null,
      invitation,
      ...(invitation && { invitationId: invitation.invitationId }),
      linkEndsAt: link?.endsAt ?? null,
      failure: null,
      failingSince: null,
      createdAt: now,
      doneAt: null,
    };
  }

  /** The mails of an invitation, of all its rounds, whose links somebody could still get. */
  async withLinkOf(tx: Transaction, id: InvitationId): Promise<MailRow[]> {
    const rows = await this.mails.within(mailing, tx).find({ invitationId: id });
    return rows.filter(({ sealed }) => sealed !== null);
  }

  /** Nobody shall get these links any more: they were used, or newer ones were made. */
  async withdraw(tx: Transaction, mailIds: readonly MailId[]): Promise<void> {
    await this.mails
      .within(mailing, tx)
      .updateMany({ _id: { $in: mailIds } }, { $set: { sealed: null, linkEndsAt: null } });
  }

  find(mailId: MailId): Promise<MailRow | null> {
    return this.mails.within(mailing).findById(mailId);
  }

  /** Whether the mail went out to its recipient: only then does its secret verify the address (ADR 0036). */
  async isSent(mailId: MailId): Promise<boolean> {
    return (await this.find(mailId))?.state === 'sent';
  }

  async list({ scope, query }: InputOf<typeof listMails>): Promise<ResponseOf<typeof listMails>> {
    const { state, ...page } = query;
    const now = this.clock.now();
    const where = state === undefined ? {} : { state };
    const [mails, delivery] = await Promise.all([
      this.mails.within(scope).page(page, { by: { createdAt: -1, _id: -1 }, where, to: (row) => toListed(row, now) }),
      this.delivery(),
    ]);
    return { ...mails, delivery };
  }

  async showLink({
    principal,
    scope,
    params,
    body,
  }: InputOf<typeof showMailLink>): Promise<ResponseOf<typeof showMailLink>> {
    const row = await this.mails.within(scope).findById(params.mailId);
    if (!row) throw new Problem('platform.not-found');
    const link = await this.linkOf(row);
    if (link === null || !hasLink(row, this.clock.now()) || (await this.isUsed(row)))
      throw new Problem('auth.link-ended', { detail: 'It has left with its mail, was used, or has expired.' });
    await this.work.run(principal, async (tx) => {
      const { _id: mailId, kind, invitation = null } = row;
      tx.record(mailRevealed, { mailId, kind, revealedBy: principal.userId, reason: body.reason, invitation });
    });
    return { link, endsAt: row.linkEndsAt!.toISOString() };
  }

  /** What the mail tells, while that is still here. */
  contentOf({ _id, sealed }: MailRow): MailContent | null {
    return sealed === null ? null : this.open(_id, sealed).content;
  }

  /** Where the mail leads; null for one without a link and where the secret is gone. Only ever to the own address. */
  async linkOf({ _id, kind, locale, sealed }: MailRow): Promise<string | null> {
    const page = linkPages[kind];
    if (page === null || sealed === null) return null;
    const { token } = this.open(_id, sealed);
    // After the sign that browsers keep to themselves: no log and no other site is told.
    const secret = token === null ? '' : `#${token}`;
    return `${await this.address.url()}/${locale}/${page}${secret}`;
  }

  /** The secret of its link; null for a mail without one, and when it is gone. */
  tokenOf({ _id, sealed }: MailRow): string | null {
    return sealed === null ? null : this.open(_id, sealed).token;
  }

  /** Of an invitation, which earlier versions did not hear the end of; while org is away it counts as open. */
  private async isUsed(row: MailRow): Promise<boolean> {
    const token = row.kind === 'invitation' ? this.tokenOf(row) : null;
    if (token === null) return false;
    try {
      await this.platform.peers.call(checkInvitation, { body: { token } }, asking);
      return false;
    } catch (error) {
      if (!(error instanceof Problem) || error.code !== 'org.invitation-not-found') throw error;
      await this.mails.within(mailing).update({ _id: row._id }, { $set: { sealed: null, linkEndsAt: null } });
      return true;
    }
  }

  private open(mailId: MailId, sealed: string): Sealed {
    return JSON.parse(this.sealer.open(sealed, mailId, purpose), (_key, value: unknown) =>
      typeof value === 'string' && isoDate.test(value) ? new Date(value) : value,
    ) as Sealed;
  }

  private async delivery(): Promise<MailDelivery> {
    const mails = this.mails.within(mailing);
    const [waiting, failing] = await Promise.all([
      mails.count({ state: 'waiting' }, { limit: mostCounted }),
      mails.findOne({ state: 'waiting', failingSince: { $gt: new Date(0) } }, { sort: { failingSince: 1 } }),
    ]);
    return {
      delivers: this.mailer.delivers,
      waiting,
      failingSince: failing?.failingSince?.toISOString() ?? null,
      failure: failing?.failure ?? null,
    };
  }
}

const purpose = 'mail';
const isoDate = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

const hasLink = ({ sealed, linkEndsAt }: MailRow, now: Date): boolean =>
  sealed !== null && linkEndsAt !== null && linkEndsAt > now;

function toListed(row: MailRow, now: Date): ListedMail {
  const { _id, to, kind, locale, state, attempts, createdAt, doneAt, failure, linkEndsAt } = row;
  return {
    id: _id,
    to,
    kind,
    locale,
    state,
    attempts,
    createdAt: createdAt.toISOString(),
    doneAt: doneAt?.toISOString() ?? null,
    failure,
    linkEndsAt: hasLink(row, now) ? linkEndsAt!.toISOString() : null,
  };
}
