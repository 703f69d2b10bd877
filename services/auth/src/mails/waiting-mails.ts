import { FairQueue, type FairTurns, type Shares, type Waiting } from '@parley/platform/fair-turns';
import { jobScope, type Mongo, type Rows } from '@parley/platform/mongo';
import { mailRows } from './mail.collection.ts';
import type { MailRow } from './mails.service.ts';

const sending = jobScope('getting mails out');
const mostSeen = 100;

type Parts = { readonly mongo: Mongo; readonly turns: FairTurns; readonly shares: Pick<Shares, 'of'> };

/**
 * Finds the mails that are due, in the order of their turns: first those about somebody's account, which are few and
 * waited for, then those that organisations send.
 */
export class WaitingMails {
  private readonly mails: Rows<typeof mailRows>;
  private readonly queue: FairQueue<MailRow>;

  constructor(private readonly parts: Parts) {
    this.mails = parts.mongo.rows(mailRows);
    this.queue = new FairQueue({
      turns: parts.turns,
      turnOf: (row) => this.turnOf(row),
      next: (last) => this.next(last),
    });
  }

  /** A mail about an account is its recipient's. */
  turnOf({ orgId, person, to, dueAt }: MailRow): Waiting {
    if (!orgId) return { share: to, person: to, arrivedAt: dueAt };
    return { share: this.parts.shares.of(orgId), person: person ?? '', arrivedAt: dueAt };
  }

  async inOrder(now: Date): Promise<MailRow[]> {
    const mails = this.mails.within(sending);
    const due = { state: 'waiting', dueAt: { $lte: now } } as const;
    const oldest = await mails.find(due, { sort: { dueAt: 1 }, limit: mostSeen });
    if (oldest.length === 0) return [];
    const ofAccounts = await mails.find({ ...due, orgId: null }, { sort: { dueAt: 1 }, limit: mostSeen });
    const others = await this.queue.inOrder(oldest, mostSeen);
    const rest = others.filter(({ orgId, dueAt }) => orgId && dueAt <= now);
    return [...this.parts.turns.inOrder(ofAccounts, (row) => this.turnOf(row)), ...rest];
  }

  /** The first one of the next person, or else of the next organisation. */
  private async next(last: MailRow | null): Promise<MailRow | null> {
    const mails = this.mails.within(sending);
    const sort = { orgId: 1, person: 1, dueAt: 1 } as const;
    const waiting = { state: 'waiting' } as const;
    const { orgId, person } = last ?? {};
    const colleague = orgId
      ? await mails.findOne({ ...waiting, orgId, person: { $gt: person ?? ('' as never) } }, { sort })
      : null;
    return colleague ?? mails.findOne({ ...waiting, orgId: { $gt: orgId ?? ('' as never) } }, { sort });
  }
}
