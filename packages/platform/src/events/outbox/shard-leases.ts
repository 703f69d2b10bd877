import { randomUUID } from 'node:crypto';
import { isDuplicateKey, jobScope, type Mongo, type ScopedRows } from '../../rows/mongo/index.ts';
import { outboxShardRows, shardCount, type OutboxShardRow } from './outbox.collection.ts';

export type ShardLeasesOptions = {
  readonly mongo: Mongo;
  readonly leaseMs: number;
  /** Called for each shard that this relay takes, also for one that it held before and lost in between. */
  readonly taken: (shard: number) => void;
};

/**
 * Limits the rows after those of the shards, each with the lease of one live relay: the number of relays decides how
 * many shards each holds.
 */
const presenceSlots = 64;
type Moment = { readonly now: Date; readonly leaseUntil: Date };

/**
 * Holds this relay's share of the shards. Leases are renewed after half their time; a relay with more than its share
 * gives some back.
 */
export class ShardLeases {
  private readonly rows: ScopedRows<OutboxShardRow>;
  private readonly owner = randomUUID();
  private held: ReadonlySet<number> = new Set();
  private heldUntil = 0;

  constructor(private readonly options: ShardLeasesOptions) {
    this.rows = options.mongo.rows(outboxShardRows).within(jobScope('shares the outbox among relays'));
  }

  /** Returns the shards that this relay can publish now. */
  async current(): Promise<ReadonlySet<number>> {
    if (this.heldUntil - Date.now() < this.options.leaseMs / 2) await this.renew();
    return this.held;
  }

  /** Returns false once a lease can belong to another relay: then nothing more can be published under it. */
  stillHolds(): boolean {
    return Date.now() < this.heldUntil;
  }

  /** Gives all leases back, so that other relays needn't wait for their end. */
  async release(): Promise<void> {
    this.held = new Set();
    this.heldUntil = 0;
    await this.rows.updateMany({ owner: this.owner }, { $set: { leaseUntil: new Date(0) } });
  }

  private async renew(): Promise<void> {
    const now = new Date();
    const moment = { now, leaseUntil: new Date(now.getTime() + this.options.leaseMs) };
    // Renews only leases that still run: another relay can take an expired one at any moment.
    await this.rows.updateMany(
      { owner: this.owner, leaseUntil: { $gt: now } },
      { $set: { leaseUntil: moment.leaseUntil } },
    );
    const live = await this.rows.find({ leaseUntil: { $gt: now } });
    const present = live.filter((row) => row._id >= shardCount);
    const isShown =
      present.some((row) => row.owner === this.owner) || (await this.claimFirst(slotsBut(present), moment));
    const relays = Math.max(1, new Set([...present.map((row) => row.owner), this.owner]).size);
    this.held = isShown
      ? await this.fairShare(
          live.filter((row) => row._id < shardCount),
          relays,
          moment,
        )
      : new Set();
    // Ends a little before the lease, because clocks differ and sending takes time.
    this.heldUntil = now.getTime() + this.options.leaseMs * 0.9;
  }

  private async fairShare(
    live: readonly OutboxShardRow[],
    relays: number,
    moment: Moment,
  ): Promise<ReadonlySet<number>> {
    const share = Math.ceil(shardCount / relays);
    const own = live.filter((row) => row.owner === this.owner).map((row) => row._id);
    const surplus = own.slice(share);
    if (surplus.length > 0)
      await this.rows.updateMany({ _id: { $in: surplus }, owner: this.owner }, { $set: { leaseUntil: new Date(0) } });
    const held = new Set(own.slice(0, share));
    const taken = new Set(live.map((row) => row._id));
    for (let shard = 0; shard < shardCount && held.size < share; shard += 1) {
      if (taken.has(shard) || !(await this.claim(shard, moment))) continue;
      held.add(shard);
      this.options.taken(shard);
    }
    return held;
  }

  private async claimFirst(ids: readonly number[], moment: Moment): Promise<boolean> {
    for (const id of ids) if (await this.claim(id, moment)) return true;
    return false;
  }

  /**
   * Takes a row whose lease has ended, or that is missing. If another relay holds the row, the upsert tries to insert
   * its id again and fails; then returns false.
   */
  private async claim(id: number, { now, leaseUntil }: Moment): Promise<boolean> {
    try {
      await this.rows.upsert(
        { _id: id, leaseUntil: { $lte: now } },
        { $set: { owner: this.owner, leaseUntil }, $inc: { fence: 1 } },
      );
      return true;
    } catch (error) {
      if (isDuplicateKey(error)) return false;
      throw error;
    }
  }
}

function slotsBut(present: readonly OutboxShardRow[]): number[] {
  const taken = new Set(present.map((row) => row._id));
  return Array.from({ length: presenceSlots }, (_, slot) => shardCount + slot).filter((id) => !taken.has(id));
}
