import type { Audience, Connection, ConnectionState, SyncProgress } from '@parley/contracts';
import type { OrgId } from '@parley/protocol';
import type { ConnectionRow } from './connection.collection.ts';
import { defaultConnectionIdOf } from './default-connection.ts';

export const noProgress: SyncProgress = { found: 0, unchanged: 0, fetched: 0, removed: 0, failed: 0, isCut: false };
const everybody: Audience = { kind: 'everybody' };

type New = Pick<
  ConnectionRow,
  '_id' | 'orgId' | 'name' | 'source' | 'audience' | 'schedule' | 'createdAt' | 'createdBy'
> &
  Partial<Pick<ConnectionRow, 'sealedSecret'>>;

/** One that nobody has synced yet. */
export const newConnection = (given: New): ConnectionRow => ({
  sealedSecret: null,
  ...given,
  isPaused: false,
  version: 1,
  isDeleted: false,
  syncState: 'idle',
  nextSyncAt: null,
  leaseHolder: null,
  run: 0,
  startedAt: null,
  cursor: null,
  progress: noProgress,
  lastSync: null,
  failures: 0,
  removal: null,
});

/** That for uploads while nobody has changed it: version 0. */
export const defaultConnection = (orgId: OrgId): ConnectionRow => ({
  ...newConnection({
    _id: defaultConnectionIdOf(orgId),
    orgId,
    name: '',
    source: { kind: 'upload' },
    audience: everybody,
    schedule: 'manual',
    createdAt: new Date(0),
    createdBy: null,
  }),
  version: 0,
});

const intervals = { hourly: 3_600_000, daily: 24 * 3_600_000, weekly: 7 * 24 * 3_600_000 };
const firstPauseMs = 60_000;
const longestPauseMs = 6 * 3_600_000;

/**
 * When a sync that has ended now is next: by the schedule, or, while the source fails, after a pause that doubles, at
 * most six hours.
 */
export function nextSync(
  { schedule, source }: Pick<ConnectionRow, 'schedule' | 'source'>,
  { failures, now }: { readonly failures: number; readonly now: Date },
): Date | null {
  if (source.kind === 'upload') return null;
  const interval = schedule === 'manual' ? null : intervals[schedule];
  const pause = failures === 0 ? null : Math.min(firstPauseMs * 2 ** (failures - 1), longestPauseMs);
  const after = pause !== null && interval !== null ? Math.min(pause, interval) : (pause ?? interval);
  return after === null ? null : new Date(now.getTime() + after);
}

/** More than a tenth of what is there may not go without a person who says so. */
export const isTooMuch = ({ count, of }: { readonly count: number; readonly of: number }): boolean => count * 10 > of;

export function stateOf(row: ConnectionRow): ConnectionState {
  if (row.isDeleted) return 'removing';
  if (row.syncState === 'running') return 'syncing';
  if (row.isPaused) return 'paused';
  if (row.syncState === 'waiting') return 'waiting';
  if (row.removal) return 'asking';
  return row.failures > 0 ? 'failing' : 'ready';
}

export function toConnection(row: ConnectionRow, documents: Connection['documents']): Connection {
  const { _id, orgId, name, source, audience, schedule, progress, startedAt, lastSync, removal } = row;
  const state = stateOf(row);
  return {
    id: _id,
    name,
    isDefault: _id === defaultConnectionIdOf(orgId),
    source,
    audience,
    schedule,
    state,
    documents,
    progress: state === 'syncing' && startedAt ? { ...progress, startedAt: startedAt.toISOString() } : null,
    lastSync: lastSync && { ...lastSync, at: lastSync.at.toISOString() },
    nextSyncAt: row.isPaused ? null : (row.nextSyncAt?.toISOString() ?? null),
    removal: removal && { count: removal.count, of: removal.of },
    createdAt: row.version === 0 ? null : row.createdAt.toISOString(),
    version: row.version,
  };
}
