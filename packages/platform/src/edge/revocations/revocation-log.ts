import type { Revocation } from '@parley/contracts';
import { Schema, type Model } from 'mongoose';
import type { Mongo, Transaction } from '../../rows/mongo/index.ts';

type RevocationRow = Pick<Revocation, 'kind' | 'subject' | 'rightsVersion' | 'reason'> & { _id: number; at: Date };
type CounterRow = { _id: 'sequence'; value: number };

const revocationSchema = new Schema<RevocationRow>(
  { _id: Number, kind: String, subject: String, rightsVersion: Number, reason: String, at: Date },
  { collection: 'revocations', versionKey: false },
);
revocationSchema.index({ at: 1 }, { expireAfterSeconds: 24 * 3600 });

const counterSchema = new Schema<CounterRow>(
  { _id: String, value: Number },
  { collection: 'revocation_counter', versionKey: false },
);
const pageSize = 500;

/** What one owner (auth, org) has revoked, in order; the owner serves it to every `RevocationFeed`. */
export class RevocationLog {
  private readonly rows: Model<RevocationRow>;
  private readonly counter: Model<CounterRow>;

  constructor(mongo: Mongo) {
    this.rows = mongo.model('Revocation', revocationSchema);
    this.counter = mongo.model('RevocationCounter', counterSchema);
  }

  /** Belongs into the transaction of the change that takes the right away. */
  async record(tx: Transaction, revocation: Omit<Revocation, 'sequence'>): Promise<void> {
    const counter = await this.counter
      .findOneAndUpdate(
        { _id: 'sequence' },
        { $inc: { value: 1 } },
        { upsert: true, returnDocument: 'after', session: tx.session },
      )
      .lean();
    await this.rows.create([{ _id: counter?.value ?? 1, ...revocation, at: new Date() }], { session: tx.session });
  }

  /** Entries after the cursor, oldest first, or only the newest cursor. */
  async list(after: number | undefined): Promise<{ items: Revocation[]; cursor: number }> {
    if (after === undefined) {
      const counter = await this.counter.findById('sequence').lean();
      return { items: [], cursor: counter?.value ?? 0 };
    }
    const rows = await this.rows
      .find({ _id: { $gt: after } })
      .sort({ _id: 1 })
      .limit(pageSize)
      .lean();
    const items = rows.map(({ _id, kind, subject, rightsVersion, reason }) => ({
      sequence: _id,
      kind,
      subject,
      rightsVersion: rightsVersion ?? null,
      ...(reason && { reason }),
    }));
    return { items, cursor: items.at(-1)?.sequence ?? after };
  }
}
