import { FairQueue, type FairTurns, type Shares, type Waiting } from '@parley/platform/fair-turns';
import { jobScope } from '@parley/platform/mongo';
import type { DocumentsRepository, Unread } from './documents.repository.ts';

const job = jobScope('reading uploaded documents');
const mostSeen = 100;

type Parts = {
  readonly documents: Pick<DocumentsRepository, 'listUnread' | 'nextUnread'>;
  readonly shares: Pick<Shares, 'of'>;
  readonly turns: FairTurns;
};

/** Finds the documents that wait to be read, in the order of their turns. */
export class WaitingDocuments {
  private readonly queue: FairQueue<Unread>;

  constructor(private readonly parts: Parts) {
    this.queue = new FairQueue({
      turns: parts.turns,
      turnOf: (one) => this.turnOf(one),
      next: (last) => parts.documents.nextUnread(job, last),
    });
  }

  /** By our clock: an id is the client's. */
  turnOf({ orgId, queuedBy = '', queuedAt, createdAt }: Unread): Waiting {
    return { share: this.parts.shares.of(orgId), person: queuedBy, arrivedAt: queuedAt ?? createdAt };
  }

  async inOrder(now: Date): Promise<Unread[]> {
    const { stored, left } = await this.parts.documents.listUnread(job, now, mostSeen);
    return this.queue.inOrder([...left, ...stored], left.length + mostSeen);
  }
}
