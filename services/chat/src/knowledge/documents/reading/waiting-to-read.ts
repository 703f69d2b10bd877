import { FairQueue, type FairTurns, type Flows, type Waiting } from '@parley/platform/fair-turns';
import { jobScope, type PlatformScope } from '@parley/platform/mongo';
import type { NewDocument } from '../rows/document.collection.ts';
import type { ReadingTurn } from './reading-turns.ts';

const job = jobScope('reading uploaded files');
const mostSeen = 100;

/** What is known of a file before a reader takes it. */
export type Unread = Pick<NewDocument, 'orgId' | 'version' | 'createdAt' | 'queuedAt' | 'queuedBy' | 'takesLong'> & {
  readonly _id: string;
};
/** Whose files were looked at last. */
export type LastOwner = Pick<Unread, 'orgId' | 'queuedBy'>;

/** Reads what was taken, and stores what came of it. */
export type Reading = (turn: ReadingTurn, stopping: AbortSignal) => Promise<void>;

/** Where files wait to be read: documents, and files of chats. */
export type ReadingSource<One extends Unread = Unread> = {
  /** The oldest that wait, in the order of their arrival, and some whose reader's lease has ended. */
  listUnread(scope: PlatformScope, now: Date, limit: number): Promise<{ stored: One[]; left: One[] }>;
  /** The one that waits longest of the next person or connection behind that one; null behind the last. */
  nextUnread(scope: PlatformScope, last: LastOwner | null): Promise<One | null>;
  /** Readers of an earlier process are gone. */
  releaseAll(scope: PlatformScope): Promise<void>;
  /** Takes one that was seen: of several readers one gets it, null the others. */
  take(seen: One, leaseUntil: Date): Promise<Reading | null>;
};

/** One that waits, and how it is taken. */
export type Found = {
  readonly _id: string;
  readonly unread: Unread;
  readonly take: (leaseUntil: Date) => Promise<Reading | null>;
};

/** A source as it is asked by turns, whatever its rows are. */
type Asked = {
  readonly listUnread: (now: Date) => Promise<{ stored: Found[]; left: Found[] }>;
  readonly nextUnread: (last: LastOwner | null) => Promise<Found | null>;
  readonly releaseAll: () => Promise<void>;
};

type Parts = { readonly flows: Pick<Flows, 'of'>; readonly turns: FairTurns };

/** Finds the files that wait to be read, of all sources, in the order of their turns. */
export class WaitingToRead {
  private readonly sources: Asked[] = [];
  private readonly queue: FairQueue<Found>;

  constructor(private readonly parts: Parts) {
    this.queue = new FairQueue({
      turns: parts.turns,
      waitingOf: (one) => this.waitingOf(one),
      next: (last) => this.next(last?.unread ?? null),
    });
  }

  add<One extends Unread>(source: ReadingSource<One>): void {
    const found = (unread: One): Found => ({
      _id: unread._id,
      unread,
      take: (leaseUntil) => source.take(unread, leaseUntil),
    });
    this.sources.push({
      listUnread: async (now) => {
        const { stored, left } = await source.listUnread(job, now, mostSeen);
        return { stored: stored.map(found), left: left.map(found) };
      },
      nextUnread: async (last) => {
        const next = await source.nextUnread(job, last);
        return next && found(next);
      },
      releaseAll: () => source.releaseAll(job),
    });
  }

  /** By our clock: an id is the client's. */
  waitingOf({ unread: { orgId, queuedBy = '', queuedAt, createdAt } }: Found): Waiting {
    return { flow: this.parts.flows.of(orgId), person: queuedBy, arrivedAt: queuedAt ?? createdAt };
  }

  async inOrder(now: Date): Promise<Found[]> {
    const lists = await Promise.all(this.sources.map((source) => source.listUnread(now)));
    const left = lists.flatMap((list) => list.left);
    const stored = lists.flatMap((list) => list.stored).toSorted((one, other) => waitedSince(one) - waitedSince(other));
    return this.queue.inOrder([...left, ...stored], left.length + mostSeen);
  }

  async releaseAll(): Promise<void> {
    await Promise.all(this.sources.map((source) => source.releaseAll()));
  }

  /** Of the next person in any source the file that waits longest. */
  private async next(last: LastOwner | null): Promise<Found | null> {
    const found = await Promise.all(this.sources.map((source) => source.nextUnread(last)));
    return found.filter((one) => one !== null).toSorted(byOwner)[0] ?? null;
  }
}

const waitedSince = ({ unread: { queuedAt, createdAt } }: Found): number => (queuedAt ?? createdAt).getTime();
/** In which the store's index has them. */
const ownerOf = ({ unread: { orgId, queuedBy = '' } }: Found): Buffer => Buffer.from(`${orgId}\0${queuedBy}`);
const byOwner = (one: Found, other: Found): number =>
  Buffer.compare(ownerOf(one), ownerOf(other)) || waitedSince(one) - waitedSince(other);
