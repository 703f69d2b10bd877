import { Injectable } from '@nestjs/common';
import { Clock } from '@parley/platform/clock';
import { goOn, type GoesOn, type JobInput, type JobRun, type JobRunner } from '@parley/platform/jobs';
import { jobScope } from '@parley/platform/mongo';
import { Platform } from '@parley/platform/service';
import { Work } from '@parley/platform/work';
import { randomUUID } from 'node:crypto';
import { ConnectionsRepository, isTooMuch, nextSync, type syncConnections } from '../connections/index.ts';
import { isOverQuota, SyncedDocuments } from '../documents/index.ts';
import { SourceError } from './source-error.ts';
import { SourceReader } from './source-reader.ts';
import { SyncRun } from './sync-run.ts';

const jobs = jobScope('syncing data connections');
type Input = JobInput<typeof syncConnections>;

/** Runs the syncs of an organisation's data connections when they are due, and finishes one that was left. */
@Injectable()
export class SyncRunner implements JobRunner<Input> {
  constructor(
    private readonly connections: ConnectionsRepository,
    private readonly documents: SyncedDocuments,
    private readonly reader: SourceReader,
    private readonly work: Work,
    private readonly clock: Clock,
    private readonly platform: Platform,
  ) {}

  async run({ orgId }: Input, job: JobRun): Promise<GoesOn | void> {
    const { connections, work } = this;
    const scope = jobs.in(orgId);
    const now = this.clock.now();
    const { next, at } = await connections.upNext(scope, now);
    if (!next) return at ? goOn(at) : undefined;
    const claimed = await connections.claim(scope, next, randomUUID(), now);
    if (claimed) await this.sync(new SyncRun({ scope, connections, work, job }, claimed));
    // The next one of the organisation.
    return goOn();
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
}
