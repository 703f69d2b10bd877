import { FairQueue, type FairTurns, type Flows, type Waiting } from '@parley/platform/fair-turns';
import { jobScope, type Mongo, type Rows } from '@parley/platform/mongo';
import { mailRows } from './mail.collection.ts';
import type { MailRow } from './mails.service.ts';

const sending = jobScope('getting mails out');
const mostSeen = 100;
const seenFields = ['to', 'orgId', 'person', 'dueAt', 'attempts'] as const;
export type WaitingMail = Pick<MailRow, '_id' | (typeof seenFields)[number]>;

type Parts = { readonly mongo: Mongo; readonly turns: FairTurns; readonly flows: Pick<Flows, 'of'> };

/**
 * Finds the mails that are due, in the order of their turns: first those about somebody's account, which are few and
 * waited for, then those that organisations send.
 */
export class WaitingMails {
  private readonly mails: Rows<typeof mailRows>;
  private readonly queue: FairQueue<WaitingMail>;

  constructor(private readonly parts: Parts) {
    this.mails = parts.mongo.rows(mailRows);
    this.queue = new FairQueue({
      turns: parts.turns,
      waitingOf: (row) => this.waitingOf(row),
      next: (last) => this.next(last),
    });
  }

  /** A mail about an account is its recipient's. */
  waitingOf({ orgId, person, to, dueAt }: WaitingMail): Waiting {
    if (!orgId) return { flow: to, person: to, arrivedAt: dueAt };
    return { flow: this.parts.flows.of(orgId), person: person ?? '', arrivedAt: dueAt };
  }

  async inOrder(now: Date): Promise<WaitingMail[]> {
    const mails = this.mails.within(sending);
    const due = { state: 'waiting', dueAt: { $lte: now } } as const;
    const first = { sort: { dueAt: 1 }, limit: mostSeen, fields: seenFields } as const;
    const oldest = await mails.find(due, first);
    if (oldest.length === 0) return [];
    const ofAccounts = await mails.find({ ...due, orgId: null }, first);
    const others = await this.queue.inOrder(oldest, mostSeen);
    const rest = others.filter(({ orgId, dueAt }) => orgId && dueAt <= now);
    return [...this.parts.turns.inOrder(ofAccounts, (row) => this.waitingOf(row)), ...rest];
  }

  /** The first one of the next person, or else of the next organisation. */
  private async next(last: WaitingMail | null): Promise<WaitingMail | null> {
    const mails = this.mails.within(sending);
    const options = { sort: { orgId: 1, person: 1, dueAt: 1 }, limit: 1, fields: seenFields } as const;
    const waiting = { state: 'waiting' } as const;
    const { orgId, person } = last ?? {};
    const [colleague] = orgId
      ? await mails.find({ ...waiting, orgId, person: { $gt: person ?? ('' as never) } }, options)
      : [];
    return colleague ?? (await mails.find({ ...waiting, orgId: { $gt: orgId ?? ('' as never) } }, options))[0] ?? null;
  }
}
