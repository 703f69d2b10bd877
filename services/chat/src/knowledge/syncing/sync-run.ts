import { connectionSynced, type SyncProgress } from '@parley/contracts';
import type { JobRun } from '@parley/platform/jobs';
import type { OrganisationScope, Transaction } from '@parley/platform/mongo';
import { job, type Work } from '@parley/platform/work';
import { stateOf, type ConnectionRow, type ConnectionsRepository } from '../connections/index.ts';
import type { Act } from '../documents/index.ts';

const tellEveryMs = 1_000;
const syncing = job('syncs data connections');

export type SyncRunParts = {
  readonly scope: OrganisationScope;
  readonly connections: ConnectionsRepository;
  readonly work: Work;
  readonly job: Pick<JobRun, 'signal' | 'shouldMakeRoom' | 'progressed'>;
};

/**
 * One sync that its worker holds: what is kept of it survives the worker, and `signal` ends it once it is lost, paused or
 * deleted, or makes room for others.
 */
export class SyncRun {
  progress: SyncProgress;
  private row: ConnectionRow;
  private toldAt = 0;
  private readonly controller = new AbortController();
  readonly signal: AbortSignal;

  constructor(
    private readonly parts: SyncRunParts,
    claimed: ConnectionRow,
  ) {
    this.row = claimed;
    this.progress = claimed.progress;
    this.signal = AbortSignal.any([parts.job.signal, this.controller.signal]);
  }

  get scope(): OrganisationScope {
    return this.parts.scope;
  }

  get connection(): ConnectionRow {
    return this.row;
  }

  /** Counts what was done and keeps it with the place in the list; throws when the sync is to end. */
  async advance(more: Partial<SyncProgress>, cursor: string | null = this.row.cursor): Promise<void> {
    this.progress = added(this.progress, more);
    if (this.isTold || cursor !== this.row.cursor) await this.keep({ cursor, progress: this.progress });
    this.makeRoom();
    this.signal.throwIfAborted();
  }

  /**
   * Does something to documents and counts it, both or neither: whoever takes the sync over knows by the documents what
   * was counted. Nothing is done where it was lost.
   */
  async count(more: Partial<SyncProgress>, act: Act): Promise<void> {
    const progress = added(this.progress, more);
    if (await this.keep({ progress }, act)) this.progress = progress;
    this.makeRoom();
  }

  /** Ends it as it says; false when it was lost before. */
  async end(
    set: Pick<ConnectionRow, 'nextSyncAt' | 'lastSync' | 'failures' | 'removal'> | Pick<ConnectionRow, 'nextSyncAt'>,
  ): Promise<boolean> {
    const ended = { ...set, syncState: 'idle', startedAt: null, cursor: null, leaseHolder: null } as const;
    const row = await this.parts.work.run(syncing, async (tx) => {
      const kept = await this.parts.connections.keep(this.scope, this.row, { ...ended, progress: this.progress }, tx);
      if (kept) this.tell(kept, tx);
      return kept;
    });
    return row !== null;
  }

  /** Its worker is ending, or others have their turn: whoever takes it next goes on where it is. */
  async giveBack(): Promise<void> {
    await this.parts.connections.keep(this.scope, this.row, { progress: this.progress });
  }

  /** Others wait: it ends with what it is doing, and goes on there when it has its next turn. */
  private makeRoom(): void {
    if (this.parts.job.shouldMakeRoom) this.controller.abort();
  }

  private get isTold(): boolean {
    return Date.now() - this.toldAt >= tellEveryMs;
  }

  /** Keeps how far it is; false where it was lost. */
  private async keep(
    kept: { readonly cursor?: string | null; readonly progress?: SyncProgress },
    act?: Act,
  ): Promise<boolean> {
    const { isTold } = this;
    const row = await this.parts.work.run(syncing, async (tx) => {
      const mine = await this.parts.connections.keep(this.scope, this.row, kept, tx);
      if (!mine) return null;
      await act?.(tx);
      if (isTold && kept.progress) this.tell(mine, tx);
      return mine;
    });
    if (isTold && kept.progress) this.toldAt = Date.now();
    if (row) {
      this.row = row;
      this.parts.job.progressed();
    }
    if (!row || row.isPaused || row.isDeleted) this.controller.abort();
    return row !== null;
  }

  private tell(row: ConnectionRow, tx: Transaction): void {
    const { orgId, _id: connectionId, lastSync, progress } = row;
    const state = stateOf(row);
    const failure = state === 'syncing' ? null : (lastSync?.failure ?? null);
    // Processes of release 0.1.1 know no quota.
    const told = failure === 'over-quota' ? 'internal' : failure;
    tx.record(connectionSynced, { orgId, connectionId, state, failure: told, progress });
  }
}

/** Numbers are added; `found` and `isCut` are as they are now. */
function added(progress: SyncProgress, more: Partial<SyncProgress>): SyncProgress {
  const { unchanged = 0, fetched = 0, removed = 0, failed = 0 } = more;
  return {
    found: more.found ?? progress.found,
    isCut: more.isCut ?? progress.isCut,
    unchanged: progress.unchanged + unchanged,
    fetched: progress.fetched + fetched,
    removed: progress.removed + removed,
    failed: progress.failed + failed,
  };
}
