import { revocation, type Revocation } from '@parley/contracts';
import { z } from 'zod';
import { collection, jobScope, type Mongo, type Rows, type Transaction } from '../../rows/mongo/index.ts';

const { kind, subject, rightsVersion, reason } = revocation.shape;
/** Stores revocations; `_id` is a revocation's sequence number. */
const revocationRows = collection(
  'revocations',
  { _id: z.number().int(), kind, subject, rightsVersion, reason, at: z.date() },
  { tenant: 'platform', indexes: [[{ at: 1 }, { expireAfterSeconds: 24 * 3600 }]] },
);
/** Stores the newest sequence number, also after the revocation with this number has expired. */
const counterRows = collection(
  'revocation_counter',
  { _id: z.literal('sequence'), value: z.number().int() },
  { tenant: 'platform' },
);

const scope = jobScope('keeps revocations');
/** Limits the entries of one answer. A full one may not be all. */
export const revocationsPerPage = 500;

/** Names the doorbell that an owner rings after a revocation. */
export const revocationsBell = (owner: 'auth' | 'org'): string => `revocations:${owner}`;

type Listed = { readonly items: Revocation[]; readonly cursor: number };

/**
 * Stores the revocations of one service, auth or org (the owner), in order. The owner serves them to every
 * `RevocationFeed` and rings after the transaction of a revocation. If no other process writes, lists are cached until
 * the next revocation.
 */
export class RevocationLog {
  private readonly rows: Rows<typeof revocationRows>;
  private readonly counter: Rows<typeof counterRows>;
  private readonly sessions = new WeakSet<Transaction['session']>();

  /** @param ring called after each transaction that revoked something, or tried to. */
  constructor(
    mongo: Mongo,
    private readonly ring: () => void = () => undefined,
  ) {
    this.rows = mongo.rows(revocationRows);
    this.counter = mongo.rows(counterRows);
  }

  /** Call it in the transaction that revokes the permission. */
  async record(tx: Transaction, revoked: Omit<Revocation, 'sequence'>): Promise<void> {
    const sequence = await this.nextSequence(tx);
    await this.rows.within(scope, tx).insert({ _id: sequence, ...revoked, at: new Date() });
    if (this.sessions.has(tx.session)) return;
    this.sessions.add(tx.session);
    tx.session.whenEnded(this.ring);
  }

  /** Lists entries after the cursor, oldest first; without a cursor only the newest one. */
  list(after: number | undefined): Promise<Listed> {
    return after === undefined ? this.newestCursor() : this.entriesAfter(after);
  }

  private async nextSequence(tx: Transaction): Promise<number> {
    const counter = this.counter.within(scope, tx);
    const counted = await counter.change({ _id: 'sequence' }, { $inc: { value: 1 } }, { upsert: true });
    return counted!.value;
  }

  private newestCursor(): Promise<Listed> {
    return this.counter.recall(scope, 'newest', async (counter) => {
      const { value } = (await counter.findById('sequence')) ?? { value: 0 };
      return { items: [], cursor: value };
    });
  }

  private entriesAfter(after: number): Promise<Listed> {
    return this.rows.recall(scope, `after ${after}`, async (rows) => {
      const found = await rows.find({ _id: { $gt: after } }, { sort: { _id: 1 }, limit: revocationsPerPage });
      const items = found.map(({ _id, kind, subject, rightsVersion, reason }) => ({
        sequence: _id,
        kind,
        subject,
        rightsVersion,
        ...(reason && { reason }),
      }));
      return { items, cursor: items.at(-1)?.sequence ?? after };
    });
  }
}
