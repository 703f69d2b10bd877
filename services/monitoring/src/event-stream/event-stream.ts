import { Injectable } from '@nestjs/common';
import { toldOutside } from '@parley/contracts';
import { Clock } from '@parley/platform/clock';
import { jobScope, Mongo, type OrganisationScope, type Rows, type Transaction } from '@parley/platform/mongo';
import type { EventEnvelope, OrgId } from '@parley/protocol';
import { headRows, streamRows, type StreamRow } from './event-stream.collection.ts';

/** The oldest beyond these go, looked at each time so many more have come. */
const mostKept = 100_000;
const trimEvery = 100;
const looking = jobScope('readers of all organisations are woken together');

/** Acts in a transaction that has put events at the end of an organisation's stream. */
type Follower = (scope: OrganisationScope, tx: Transaction) => Promise<void>;

/** What happened in each organisation, numbered. */
@Injectable()
export class EventStream {
  private readonly rows: Rows<typeof streamRows>;
  private readonly heads: Rows<typeof headRows>;
  private readonly followers: Follower[] = [];

  constructor(
    mongo: Mongo,
    private readonly clock: Clock,
  ) {
    this.rows = mongo.rows(streamRows);
    this.heads = mongo.rows(headRows);
  }

  onAppend(follower: Follower): void {
    this.followers.push(follower);
  }

  /**
   * Puts events at the end. Whoever else does so for the organisation waits for this transaction, or runs again after it:
   * no place is seen before those in front of it.
   */
  async append(scope: OrganisationScope, tx: Transaction, events: readonly EventEnvelope[]): Promise<void> {
    const { orgId } = scope;
    const head = await this.advance(scope, tx, events.length);
    const before = head - events.length;
    const at = this.clock.now();
    const rows = events.map((event, index): StreamRow => {
      const position = before + index + 1;
      const told = toldOutside(event, position);
      if (!told) throw new Error(`${event.type} stays inside.`);
      return { _id: event.id, orgId, position, at, event: told };
    });
    await this.rows.within(scope, tx).later.insertMany(rows);
    if (Math.floor(head / trimEvery) > Math.floor(before / trimEvery))
      await this.rows.within(scope, tx).deleteMany({ position: { $lte: head - mostKept } });
    for (const follower of this.followers) await follower(scope, tx);
  }

  /** Returns the place of the newest event. What is appended at the same time waits for this transaction, or runs again. */
  hold(scope: OrganisationScope, tx: Transaction): Promise<number> {
    return this.advance(scope, tx, 0);
  }

  /** What comes after the place, oldest first. */
  after(scope: OrganisationScope, position: number, limit: number): Promise<StreamRow[]> {
    return this.rows.within(scope).find({ position: { $gt: position } }, { sort: { position: 1 }, limit });
  }

  /** The place before the oldest that is kept. */
  async beginning(scope: OrganisationScope): Promise<number> {
    const [oldest] = await this.after(scope, 0, 1);
    return oldest ? oldest.position - 1 : this.head(scope);
  }

  async head(scope: OrganisationScope): Promise<number> {
    return (await this.heads.within(scope).findById(scope.orgId))?.position ?? 0;
  }

  /** Of several organisations; one of which nothing was told yet is not in it. */
  async headsOf(orgIds: readonly OrgId[]): Promise<ReadonlyMap<OrgId, number>> {
    const rows = await this.heads.within(looking).find({ _id: { $in: orgIds } });
    return new Map(rows.map(({ _id, position }) => [_id, position]));
  }

  private async advance(scope: OrganisationScope, tx: Transaction, count: number): Promise<number> {
    const { orgId } = scope;
    const heads = this.heads.within(scope, tx);
    const advanced = await heads.change({ _id: orgId }, { $inc: { position: count, writes: 1 } });
    if (advanced) return advanced.position;
    await heads.insertOnce({ _id: orgId, orgId, position: count, writes: 1 });
    return count;
  }
}
