import { Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { Clock } from '@parley/platform/clock';
import { Doorbell } from '@parley/platform/doorbell';
import { Flows } from '@parley/platform/fair-turns';
import { freeingSpace, jobScope } from '@parley/platform/mongo';
import { Platform } from '@parley/platform/service';
import { Sweep } from '@parley/platform/sweep';
import { Work } from '@parley/platform/work';
import { randomUUID } from 'node:crypto';
import { ChatSettings } from '../../chat.config.ts';
import {
  ConnectionsRepository,
  connectionsWaiting,
  isTooMuch,
  nextSync,
  type ConnectionRow,
} from '../connections/index.ts';
import { isOverQuota, SyncedDocuments } from '../documents/index.ts';
import { SourceError } from './source-error.ts';
import { SourceReader } from './source-reader.ts';
import { leaseMs, SyncRun } from './sync-run.ts';
import { SyncTurns } from './sync-turns.ts';

const sweepMs = 5_000;
const jobs = jobScope('syncing data connections');

/** Runs the syncs of data connections when their time has come, and goes on with those that a dead worker has left. */
@Injectable()
export class SyncRunner implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly holder = randomUUID();
  private readonly running = new Map<SyncRun, Promise<void>>();
  private readonly turns: SyncTurns;
  private isStopped = false;
  private stopListening = () => {};
  private readonly looking = new Sweep({
    run: () => this.sweep(),
    everyMs: sweepMs,
    whenFailed: (err) => this.platform.logger.warn({ err }, 'looking for syncs failed; trying again'),
  });

  constructor(
    private readonly connections: ConnectionsRepository,
    private readonly documents: SyncedDocuments,
    private readonly reader: SourceReader,
    private readonly work: Work,
    private readonly clock: Clock,
    private readonly doorbell: Doorbell,
    private readonly settings: ChatSettings,
    private readonly platform: Platform,
    flows: Flows,
  ) {
    this.turns = new SyncTurns({ connections, flows });
  }

  async onApplicationBootstrap(): Promise<void> {
    if (this.settings.workers === 0) return;
    if (this.platform.isAlone) await this.connections.releaseAll(jobs);
    this.stopListening = this.doorbell.on(connectionsWaiting, () => this.looking.wake());
    this.looking.start();
  }

  /** What runs is left to the next worker, which goes on where it was. */
  async onApplicationShutdown(): Promise<void> {
    this.isStopped = true;
    this.stopListening();
    await this.looking.stop();
    for (const run of this.running.keys()) run.stop();
    await Promise.all(this.running.values());
  }

  private async sweep(): Promise<void> {
    const now = this.clock.now();
    await this.connections.wantDue(jobs, now);
    for (const seen of await this.turns.inOrder(now)) {
      if (this.isStopped) break;
      const end = this.turns.begin(seen, now);
      if (!end) continue;
      const lease = { holder: this.holder, until: new Date(now.getTime() + leaseMs) };
      const claimed = await this.connections.claim(jobs.in(seen.orgId), seen, lease, now).catch((error: unknown) => {
        end();
        throw error;
      });
      if (claimed) this.start(claimed, end);
      else end();
    }
    for (const gone of await this.connections.listDeleted(jobs)) await freeingSpace(() => this.erase(gone));
  }

  private start(claimed: ConnectionRow, end: () => void): void {
    const { connections, work, clock } = this;
    const scope = jobs.in(claimed.orgId);
    const run = new SyncRun({ scope, connections, work, now: () => clock.now() }, claimed);
    const ending = this.sync(run)
      .catch((error: unknown) => this.platform.logger.error({ err: error }, 'a sync could not be ended'))
      .finally(() => {
        end();
        this.turns.ended(run);
        this.running.delete(run);
        this.looking.wake();
      });
    this.running.set(run, ending);
    this.turns.started(run, clock.now());
  }

  private async sync(run: SyncRun): Promise<void> {
    try {
      await run.advance({});
      await this.reader.read(run);
      await this.finish(run);
    } catch (error) {
      if (run.signal.aborted) await this.leave(run);
      else await this.fail(run, error);
    }
  }

  /** What was not seen is gone from the source: more than a tenth of it goes only when somebody says so. */
  private async finish(run: SyncRun): Promise<void> {
    const { _id: id, run: number } = run.connection;
    const unseen = await this.documents.unseen(run.scope, id, number);
    const isAsked = unseen.count > 0 && isTooMuch(unseen);
    if (!isAsked)
      await this.documents.removeUnseen(run.scope, id, number, async (act) => {
        await run.count({ removed: 1 }, act);
        await this.platform.failpoint('unseen-removed');
        run.signal.throwIfAborted();
      });
    const now = this.clock.now();
    await run.end({
      nextSyncAt: nextSync(run.connection, { failures: 0, now }),
      lastSync: { ...run.progress, at: now, failure: null },
      failures: 0,
      removal: isAsked ? { run: number, ...unseen } : null,
    });
  }

  /** The index stays as it is. */
  private async fail(run: SyncRun, error: unknown): Promise<void> {
    const failure = isOverQuota(error) ? 'over-quota' : error instanceof SourceError ? error.failure : 'internal';
    if (failure === 'internal')
      this.platform.logger.error({ connectionId: run.connection._id, err: error }, 'a sync failed');
    const now = this.clock.now();
    const failures = run.connection.failures + 1;
    await run.end({
      nextSyncAt: nextSync(run.connection, { failures, now }),
      lastSync: { ...run.progress, at: now, failure },
      failures,
      removal: null,
    });
  }

  /** Paused or deleted it ends; where its worker ends, another one goes on. */
  private async leave(run: SyncRun): Promise<void> {
    const { isPaused, isDeleted } = run.connection;
    if (isPaused || isDeleted) await run.end({ nextSyncAt: null });
    else await run.giveBack();
  }

  private async erase({ _id, orgId, syncState, leaseUntil }: ConnectionRow): Promise<void> {
    const isHeld = syncState === 'running' && leaseUntil !== null && leaseUntil > this.clock.now();
    if (isHeld) return;
    await this.documents.eraseAll(jobs.in(orgId), _id);
    await this.connections.purge(jobs, _id);
  }
}
