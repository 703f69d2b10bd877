import type { Revocation } from '@parley/contracts';
import { Schema, type ClientSession, type Model } from 'mongoose';
import type { Memory, Mongo, Transaction } from '../../rows/mongo/index.ts';

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

/** The name on which an owner rings for what it has revoked. */
export const revocationsBell = (owner: 'auth' | 'org'): string => `revocations:${owner}`;

type Listed = { readonly items: Revocation[]; readonly cursor: number };

/**
 * Stores the revocations of one owner (auth, org), in order. The owner serves them to every `RevocationFeed` and rings
 * when the transaction of a revocation ends. If no other process writes, lists are cached until the next revocation.
 */
export class RevocationLog {
  private readonly rows: Model<RevocationRow>;
  private readonly counter: Model<CounterRow>;
  private readonly memory: Memory | null;
  private readonly sessions = new WeakSet<ClientSession>();

  /** @param ring called after each transaction that revoked something, or tried to. */
  constructor(
    mongo: Mongo,
    private readonly ring: () => void = () => undefined,
  ) {
    this.rows = mongo.model('Revocation', revocationSchema);
    this.counter = mongo.model('RevocationCounter', counterSchema);
    this.memory = mongo.memoryOf(revocationSchema.get('collection')!);
  }

  /** Belongs into the transaction of the change that takes the right away. */
  async record(tx: Transaction, revocation: Omit<Revocation, 'sequence'>): Promise<void> {
    const write = () => this.write(tx, revocation);
    await (this.memory ? this.memory.write(tx.session, write) : write());
    if (this.sessions.has(tx.session)) return;
    this.sessions.add(tx.session);
    tx.session.once('ended', this.ring);
  }

  /** Entries after the cursor, oldest first, or only the newest cursor. */
  list(after: number | undefined): Promise<Listed> {
    const read = () => this.read(after);
    return this.memory ? this.memory.read(String(after), read) : read();
  }

  private async write(tx: Transaction, revocation: Omit<Revocation, 'sequence'>): Promise<void> {
    const counter = await this.counter
      .findOneAndUpdate(
        { _id: 'sequence' },
        { $inc: { value: 1 } },
        { upsert: true, returnDocument: 'after', session: tx.session },
      )
      .lean();
    await this.rows.create([{ _id: counter?.value ?? 1, ...revocation, at: new Date() }], { session: tx.session });
  }

  private async read(after: number | undefined): Promise<Listed> {
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
