import { randomUUID } from 'node:crypto';
import type { Model } from 'mongoose';
import type { Mongo } from '../mongo/index.ts';
import { outboxShardSchema, shardCount, type OutboxShardRow } from './outbox.schema.ts';

export type ShardLeasesOptions = {
  readonly mongo: Mongo;
  /** The only process on this database: takes over at once what an earlier process held. */
  readonly isAlone: boolean;
  readonly leaseMs: number;
};

/** Presence of a relay, beside the shards: how many there are decides how many shards each holds. */
const presenceOf = (slot: number): number => shardCount + slot;
const presenceSlots = 64;
const allShards = Array.from({ length: shardCount }, (_, shard) => shard);

/** This relay's share of the shards. Held leases are renewed at half time; a relay that has more than its share gives some back. */
export class ShardLeases {
  private readonly rows: Model<OutboxShardRow>;
  private readonly owner = randomUUID();
  private held = new Set<number>();
  private heldUntil = 0;
  private slot: number | null = null;

  constructor(private readonly options: ShardLeasesOptions) {
    this.rows = options.mongo.model('OutboxShard', outboxShardSchema);
  }

  /** The shards that this relay may publish now. */
  async current(): Promise<ReadonlySet<number>> {
    if (this.heldUntil - Date.now() < this.options.leaseMs / 2) await this.renew();
    return this.held;
  }

  /** False once a lease may have passed to somebody else: then nothing more may be published with it. */
  stillHolds(): boolean {
    return Date.now() < this.heldUntil;
  }

  /** Gives all back, so that another relay need not wait for the leases to end. */
  async release(): Promise<void> {
    this.held = new Set();
    this.heldUntil = 0;
    await this.rows.updateMany({ owner: this.owner }, { $set: { leaseUntil: new Date(0) } });
  }

  private async renew(): Promise<void> {
    const now = Date.now();
    const leaseUntil = new Date(now + this.options.leaseMs);
    const shards = this.options.isAlone ? allShards : await this.fairShare(now, leaseUntil);
    const held = new Set<number>();
    for (const shard of shards) if (await this.claim(shard, { now: new Date(now), leaseUntil })) held.add(shard);
    this.held = held;
    // Ends a little before the lease does: clocks and the way to the bus take time too.
    this.heldUntil = now + this.options.leaseMs * 0.9;
  }

  private async claim(shard: number, { now, leaseUntil }: { now: Date; leaseUntil: Date }): Promise<boolean> {
    const renewed = await this.rows.updateOne({ _id: shard, owner: this.owner }, { $set: { leaseUntil } });
    if (renewed.matchedCount === 1) return true;
    const free = this.options.isAlone ? { _id: shard } : { _id: shard, leaseUntil: { $lte: now } };
    try {
      const taken = await this.rows.updateOne(free, { $set: { owner: this.owner, leaseUntil }, $inc: { fence: 1 } }, { upsert: true });
      return taken.modifiedCount + taken.upsertedCount === 1;
    } catch (error) {
      if ((error as { code?: number }).code === 11000) return false;
      throw error;
    }
  }

  private async fairShare(now: number, leaseUntil: Date): Promise<number[]> {
    await this.show(now, leaseUntil);
    const rows = await this.rows.find({}).lean();
    const live = rows.filter((row) => row.leaseUntil.getTime() > now);
    const relays = Math.max(1, live.filter((row) => row._id >= shardCount).length);
    const share = Math.ceil(shardCount / relays);
    const taken = new Set(live.filter((row) => row._id < shardCount && row.owner !== this.owner).map((row) => row._id));
    const own = allShards.filter((shard) => this.held.has(shard) && !taken.has(shard));
    const surplus = own.slice(share);
    if (surplus.length > 0) await this.rows.updateMany({ _id: { $in: surplus }, owner: this.owner }, { $set: { leaseUntil: new Date(0) } });
    const free = allShards.filter((shard) => !taken.has(shard) && !own.includes(shard));
    return [...own.slice(0, share), ...free].slice(0, share);
  }

  private async show(now: number, leaseUntil: Date): Promise<void> {
    const at = { now: new Date(now), leaseUntil };
    if (this.slot !== null && (await this.claim(presenceOf(this.slot), at))) return;
    for (let slot = 0; slot < presenceSlots; slot += 1) {
      if (await this.claim(presenceOf(slot), at)) {
        this.slot = slot;
        return;
      }
    }
  }
}
