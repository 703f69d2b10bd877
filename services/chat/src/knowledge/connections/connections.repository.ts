import { Injectable } from '@nestjs/common';
import { quotaLimits, type ConnectionId } from '@parley/contracts';
import { isDuplicateKey, Mongo, type OrganisationScope, type Rows, type Transaction } from '@parley/platform/mongo';
import { Quotas } from '@parley/platform/quotas';
import { connectionRows, type ConnectionRow } from './connection.collection.ts';
import { eraseConnection, syncConnections } from './connection-jobs.ts';
import { connectionQuota } from './connection-quota.ts';
import { defaultConnection, noProgress } from './connection.ts';
import { defaultConnectionIdOf, keptIdsOf } from './default-connection.ts';

const mostConnections = quotaLimits.connections.highest;
/** With those that are being erased. */
const mostRows = 500;
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
    if (stored.isNew && row.source.kind !== 'upload') tx.queue(syncConnections, { orgId: scope.orgId });
    return { ...stored, row: { ...stored.row, _id: row._id } };
  }

  /** Null where another version is there. A job erases its documents. */
  async delete(
    scope: OrganisationScope,
    seen: Pick<ConnectionRow, '_id' | 'version'>,
    tx: Transaction,
  ): Promise<ConnectionRow | null> {
    const gone = await this.change(scope, seen, { isDeleted: true, nextSyncAt: null }, tx);
    if (gone) tx.queue(eraseConnection, { connectionId: seen._id, orgId: scope.orgId });
    return gone;
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
    if (changed && changed.source.kind !== 'upload') tx.queue(syncConnections, { orgId: scope.orgId });
    return changed && { ...changed, _id };
  }

  /** Whoever has no row of its own yet gets the next place in the queue; what waits or runs goes on. */
  async want(scope: OrganisationScope, id: ConnectionId, tx: Transaction): Promise<ConnectionRow | null> {
    const wanted = { _id: id, isDeleted: false, isPaused: false, syncState: 'idle' } as const;
    const queuedAt = new Date();
    const row = await this.connections
      .within(scope, tx)
      .change(wanted, { $set: { syncState: 'waiting', nextSyncAt: null, queuedAt } });
    if (row) tx.queue(syncConnections, { orgId: scope.orgId });
    return row;
  }

  /**
   * Returns what an organisation has to sync: one that was left, else the one that waits for longest; without one, when
   * the next is due. Makes those wait whose time has come.
   */
  async upNext(
    scope: OrganisationScope,
    now: Date,
  ): Promise<{ readonly next: ConnectionRow | null; readonly at: Date | null }> {
    const { orgId } = scope;
    const due = { orgId, syncState: 'idle', nextSyncAt: { $lte: now }, isDeleted: false, isPaused: false } as const;
    const connections = this.connections.within(scope);
    await connections.updateMany(due, { $set: { syncState: 'waiting', nextSyncAt: null, queuedAt: now } });
    const rows = await connections.find({ orgId }, { sort: { _id: 1 }, limit: mostRows });
    const left = rows.find(({ syncState }) => syncState === 'running');
    const own = rows.filter(({ isDeleted, isPaused }) => !isDeleted && !isPaused);
    const [waiting] = own.filter(({ syncState }) => syncState === 'waiting').toSorted(byArrival);
    const [at] = own
      .flatMap(({ nextSyncAt }) => nextSyncAt ?? [])
      .toSorted((one, other) => Number(one) - Number(other));
    return { next: left ?? waiting ?? null, at: at ?? null };
  }

  /** Null when somebody else has it, or another one of its organisation runs. What was left goes on where it was. */
  async claim(scope: OrganisationScope, seen: ConnectionRow, holder: string, now: Date): Promise<ConnectionRow | null> {
    const { _id, run, syncState, leaseHolder } = seen;
    const begin = { run: run + 1, startedAt: now, cursor: null, progress: noProgress, removal: null };
    const set = { syncState: 'running', leaseHolder: holder } as const;
    try {
      return await this.connections
        .within(scope)
        .change({ _id, run, syncState, leaseHolder }, { $set: { ...set, ...(syncState === 'waiting' && begin) } });
    } catch (error) {
      if (isDuplicateKey(error)) return null;
      throw error;
    }
  }

  /** Keeps how far it is; null when another attempt has it, or nobody. */
  async keep(
    scope: OrganisationScope,
    { _id, run, leaseHolder }: ConnectionRow,
    set: Partial<Synced>,
    tx?: Transaction,
  ): Promise<ConnectionRow | null> {
    return this.connections.within(scope, tx).change({ _id, run, leaseHolder, syncState: 'running' }, { $set: set });
  }

  /** Null when nothing is asked. */
  answer(scope: OrganisationScope, id: ConnectionId, tx: Transaction): Promise<ConnectionRow | null> {
    return this.connections
      .within(scope, tx)
      .change({ _id: id, isDeleted: false, removal: { $ne: null } }, { $set: { removal: null } });
  }

  /** From now on no sync of a deleted one writes anything; null where it is gone. */
  stop(scope: OrganisationScope, id: ConnectionId): Promise<ConnectionRow | null> {
    const stopped = { syncState: 'idle', leaseHolder: null } as const;
    return this.connections.within(scope).change({ _id: id, isDeleted: true }, { $set: stopped });
  }

  async purge(scope: OrganisationScope, id: ConnectionId): Promise<void> {
    await this.connections.within(scope).delete({ _id: id, isDeleted: true });
  }
}

const byArrival = (one: ConnectionRow, other: ConnectionRow): number =>
  Number(one.queuedAt ?? one.createdAt) - Number(other.queuedAt ?? other.createdAt);
