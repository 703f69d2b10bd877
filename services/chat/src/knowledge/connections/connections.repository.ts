import { Injectable } from '@nestjs/common';
import { quotaLimits, type ConnectionId } from '@parley/contracts';
import {
  isDuplicateKey,
  Mongo,
  type OrganisationScope,
  type PlatformScope,
  type Rows,
  type Transaction,
} from '@parley/platform/mongo';
import { Quotas } from '@parley/platform/quotas';
import type { OrgId } from '@parley/protocol';
import { connectionRows, type ConnectionRow } from './connection.collection.ts';
import { connectionQuota } from './connection-quota.ts';
import { defaultConnection, noProgress } from './connection.ts';
import { defaultConnectionIdOf, keptIdsOf } from './default-connection.ts';

const mostConnections = quotaLimits.connections.highest;
const mostLeft = 100;
const mostBusy = 1_000;
export type Lease = { readonly holder: string; readonly until: Date };
/** What people change; the sync is its worker's. */
type Settings = Pick<ConnectionRow, 'name' | 'source' | 'sealedSecret' | 'audience' | 'schedule' | 'isPaused'>;
type Synced = Pick<
  ConnectionRow,
  'nextSyncAt' | 'cursor' | 'progress' | 'lastSync' | 'failures' | 'removal' | 'syncState' | 'startedAt'
>;

/** Data connections and how far their syncs are. The one for uploads is found whether or not anybody has changed it. */
@Injectable()
export class ConnectionsRepository {
  private readonly connections: Rows<typeof connectionRows>;
  private readonly quotas: Quotas;

  constructor(mongo: Mongo) {
    this.connections = mongo.rows(connectionRows);
    this.quotas = new Quotas(mongo);
  }

  /** That for uploads first, then the oldest first. */
  async list(scope: OrganisationScope): Promise<ConnectionRow[]> {
    const rows = await this.connections.recall(scope, 'all', (all) =>
      all.find({ orgId: scope.orgId, isDeleted: false }, { sort: { _id: 1 }, limit: mostConnections + 1 }),
    );
    const first = defaultConnectionIdOf(scope.orgId);
    const kept = rows.find(({ _id }) => keptIdsOf(scope.orgId, first).includes(_id));
    const uploads = kept ? { ...kept, _id: first } : defaultConnection(scope.orgId);
    return [uploads, ...rows.filter((row) => row !== kept)];
  }

  /** Null when it is another organisation's or was deleted. */
  async find(scope: OrganisationScope, id: ConnectionId, tx?: Transaction): Promise<ConnectionRow | null> {
    const row = await this.connections.within(scope, tx).findOne({ _id: { $in: keptIdsOf(scope.orgId, id) } });
    if (row) return row.isDeleted ? null : { ...row, _id: id };
    return id === defaultConnectionIdOf(scope.orgId) ? defaultConnection(scope.orgId) : null;
  }

  async insert(scope: OrganisationScope, row: ConnectionRow, tx: Transaction) {
    const [_id] = keptIdsOf(scope.orgId, row._id);
    const stored = await this.connections.within(scope, tx).insertOnce({ ...row, _id });
    const isCounted = stored.isNew && row._id !== defaultConnectionIdOf(scope.orgId);
    if (isCounted) await this.quotas.admit(scope, tx, connectionQuota);
    return { ...stored, row: { ...stored.row, _id: row._id } };
  }

  /** Null where another version is there. Its documents are erased by the sync worker. */
  delete(
    scope: OrganisationScope,
    seen: Pick<ConnectionRow, '_id' | 'version'>,
    tx: Transaction,
  ): Promise<ConnectionRow | null> {
    return this.change(scope, seen, { isDeleted: true, nextSyncAt: null }, tx);
  }

  /** Null where another version is there. */
  async change(
    scope: OrganisationScope,
    { _id, version }: Pick<ConnectionRow, '_id' | 'version'>,
    set: Partial<Settings & Pick<ConnectionRow, 'isDeleted' | 'nextSyncAt' | 'syncState' | 'queuedAt'>>,
    tx: Transaction,
  ): Promise<ConnectionRow | null> {
    const kept = { $in: keptIdsOf(scope.orgId, _id) };
    const changed = await this.connections
      .within(scope, tx)
      .change({ _id: kept, version, isDeleted: false }, { $set: set, $inc: { version: 1 } });
    return changed && { ...changed, _id };
  }

  /** Whoever has no row of its own yet gets the next place in the queue; what waits or runs goes on. */
  async want(scope: OrganisationScope, id: ConnectionId, tx?: Transaction): Promise<ConnectionRow | null> {
    const wanted = { _id: id, isDeleted: false, isPaused: false, syncState: 'idle' } as const;
    const queuedAt = new Date();
    return this.connections
      .within(scope, tx)
      .change(wanted, { $set: { syncState: 'waiting', nextSyncAt: null, queuedAt } });
  }

  /** Those whose time has come wait from now on. */
  async wantDue(scope: PlatformScope, now: Date): Promise<void> {
    await this.connections
      .within(scope)
      .updateMany(
        { syncState: 'idle', nextSyncAt: { $lte: now }, isDeleted: false, isPaused: false },
        { $set: { syncState: 'waiting', nextSyncAt: null, queuedAt: now } },
      );
  }

  /** Some of what waits, in the order of its arrival. */
  listWaiting(scope: PlatformScope, limit: number): Promise<ConnectionRow[]> {
    const waiting = { syncState: 'waiting', isDeleted: false, isPaused: false } as const;
    return this.connections.within(scope).find(waiting, { sort: { queuedAt: 1 }, limit });
  }

  /** The one that waits longest of the next organisation behind that one; null behind the last. */
  nextWaiting(scope: PlatformScope, last: ConnectionRow | null): Promise<ConnectionRow | null> {
    const waiting = { syncState: 'waiting', isDeleted: false, isPaused: false } as const;
    const behind = last ? { orgId: { $gt: last.orgId } } : {};
    return this.connections.within(scope).findOne({ ...waiting, ...behind }, { sort: { orgId: 1, queuedAt: 1 } });
  }

  /** What a dead worker has left, or one that gave its turn to others: what waits for longest first. */
  listLeft(scope: PlatformScope, now: Date): Promise<ConnectionRow[]> {
    return this.connections
      .within(scope)
      .find({ syncState: 'running', leaseUntil: { $lte: now } }, { sort: { leaseUntil: 1 }, limit: mostLeft });
  }

  /** Organisations of which a sync runs now. */
  async listBusy(scope: PlatformScope, now: Date): Promise<OrgId[]> {
    const running = { syncState: 'running', leaseUntil: { $gt: now } } as const;
    const rows = await this.connections.within(scope).find(running, { fields: ['orgId'], limit: mostBusy });
    return rows.map(({ orgId }) => orgId);
  }

  /** Null when somebody else has it, or another one of its organisation runs. What was left goes on where it was. */
  async claim(scope: OrganisationScope, seen: ConnectionRow, lease: Lease, now: Date): Promise<ConnectionRow | null> {
    const { _id, run, syncState, leaseUntil } = seen;
    const begin = { run: run + 1, startedAt: now, cursor: null, progress: noProgress, removal: null };
    const set = { syncState: 'running', leaseHolder: lease.holder, leaseUntil: lease.until } as const;
    try {
      return await this.connections
        .within(scope)
        .change({ _id, run, syncState, leaseUntil }, { $set: { ...set, ...(syncState === 'waiting' && begin) } });
    } catch (error) {
      if (isDuplicateKey(error)) return null;
      throw error;
    }
  }

  /** Keeps how far it is and renews the lease; null when it was lost, paused or deleted, which ends the sync. */
  async keep(
    scope: OrganisationScope,
    { _id, run, leaseHolder }: ConnectionRow,
    set: Partial<Synced> & Pick<ConnectionRow, 'leaseUntil'>,
    tx?: Transaction,
  ): Promise<ConnectionRow | null> {
    return this.connections.within(scope, tx).change({ _id, run, leaseHolder, syncState: 'running' }, { $set: set });
  }

  /** A worker of an earlier process is gone. */
  async releaseAll(scope: PlatformScope): Promise<void> {
    await this.connections.within(scope).updateMany({ syncState: 'running' }, { $set: { leaseUntil: new Date(0) } });
  }

  /** Null when nothing is asked. */
  answer(scope: OrganisationScope, id: ConnectionId, tx: Transaction): Promise<ConnectionRow | null> {
    return this.connections
      .within(scope, tx)
      .change({ _id: id, isDeleted: false, removal: { $ne: null } }, { $set: { removal: null } });
  }

  listDeleted(scope: PlatformScope): Promise<ConnectionRow[]> {
    return this.connections.within(scope).find({ isDeleted: true }, { limit: 10 });
  }

  async purge(scope: PlatformScope, id: ConnectionId): Promise<void> {
    await this.connections.within(scope).delete({ _id: id, isDeleted: true });
  }
}
