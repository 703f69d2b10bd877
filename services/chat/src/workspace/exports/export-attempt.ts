import { Injectable } from '@nestjs/common';
import { exportFinished, mostExports, type ExportFailure } from '@parley/contracts';
import { Blobs } from '@parley/platform/blobs';
import { Clock } from '@parley/platform/clock';
import type { JobInput, JobRun, JobRunner } from '@parley/platform/jobs';
import { isStorageFull, type OrganisationScope, type Transaction } from '@parley/platform/mongo';
import { Platform } from '@parley/platform/service';
import { job, Work } from '@parley/platform/work';
import { isOverQuota, StorageQuota } from '../../knowledge/documents/index.ts';
import { ArchiveContent } from './archive-content.ts';
import { Archive } from './archive.ts';
import type { writeExport } from './export-jobs.ts';
import type { ExportRow } from './export.collection.ts';
import { blobKey, eraseAtOf } from './export.ts';
import { AccessLost, exportingPerson, jobs } from './exporting-person.ts';
import { ExportsRepository } from './exports.repository.ts';
import { recordExport } from './record-export.ts';

/** Whether the person can still read is asked each so often. */
const askMs = 30_000;

type Written = { readonly chats: number; readonly files: number; readonly bytes: number };
type Input = JobInput<typeof writeExport>;

const acting = ({ userId }: Pick<ExportRow, 'userId'>) => job('writes what people export', { onBehalfOf: userId });

/**
 * Writes an export from its beginning: an attempt that ends early leaves nothing, and the next one starts anew. What is
 * whole appears with the transaction that makes it ready.
 */
@Injectable()
export class ExportAttempt implements JobRunner<Input> {
  constructor(
    private readonly exports: ExportsRepository,
    private readonly content: ArchiveContent,
    private readonly quota: StorageQuota,
    private readonly blobs: Blobs,
    private readonly work: Work,
    private readonly clock: Clock,
    private readonly platform: Platform,
  ) {}

  async run(input: Input, run: JobRun): Promise<void> {
    const row = await this.begin(input, run);
    if (!row) return;
    try {
      await this.finish(row, { run, written: await this.write(row, run) });
    } catch (error) {
      await this.blobs.delete(blobKey(row, row.attempts));
      const failure = failureOf(error);
      if (failure) return this.fail(row, failure, run);
      await this.change(input, (scope, tx) => this.exports.wait(scope, row, tx), run).catch(() => null);
      throw error;
    }
  }

  async giveUp(input: Input): Promise<void> {
    await this.fail({ ...input, _id: input.exportId }, 'interrupted');
  }

  /** Null where it was deleted, or is written already. Each attempt has a number of its own. */
  private begin(input: Input, run: JobRun): Promise<ExportRow | null> {
    return this.change(input, (scope, tx) => this.exports.begin(scope, input.exportId, tx), run);
  }

  private async write(row: ExportRow, run: JobRun): Promise<Written> {
    const viewer = await exportingPerson(this.platform, row);
    const of = await this.content.count(viewer);
    let done = 0;
    let askedAt = performance.now();
    const onChat = async () => {
      done += 1;
      run.report({ done, of: Math.max(of, done) });
      if (performance.now() - askedAt < askMs) return;
      askedAt = performance.now();
      await exportingPerson(this.platform, row);
    };
    const { signal } = run;
    const archive = new Archive(this.clock.now());
    const broken = (error: unknown): never => {
      archive.break(error as Error);
      throw error;
    };
    const stop = () => archive.break(signal.reason as Error);
    signal.addEventListener('abort', stop);
    const where = { key: blobKey(row, row.attempts), replaced: 0, most: Number.MAX_SAFE_INTEGER };
    const [stored, filled] = await Promise.allSettled([
      this.quota.put(viewer.scope, where, archive.output).catch(broken),
      this.content.write(archive, { viewer, signal, onChat }).catch(broken),
    ]);
    signal.removeEventListener('abort', stop);
    signal.throwIfAborted();
    if (stored.status === 'rejected') throw stored.reason;
    if (filled.status === 'rejected') throw filled.reason;
    return { ...filled.value, bytes: stored.value };
  }

  /** What the person can't read any more is not given to them: asked once more, as the last thing before. */
  private async finish(row: ExportRow, { run, written }: { run: JobRun; written: Written }): Promise<void> {
    const { scope } = await exportingPerson(this.platform, row);
    const { _id: exportId, orgId, userId } = row;
    const now = this.clock.now();
    await this.work.run(acting(row), async (tx) => {
      await run.hold(tx);
      const end = { status: 'ready', failure: null, ...written, eraseAt: eraseAtOf(now) } as const;
      const ready = await this.exports.finish(scope, row, end, tx);
      if (!ready) return;
      // Two at once that both fitted before: the second one sees the first.
      await this.quota.check(scope, 0, tx);
      recordExport(tx, ready);
      tx.record(exportFinished, { orgId, userId, exportId, ...written });
      await this.dropOldest(ready, now, tx);
    });
  }

  private async dropOldest({ orgId, userId }: ExportRow, now: Date, tx: Transaction): Promise<void> {
    const scope = jobs.in(orgId);
    const ready = (await this.exports.allOf(scope, userId, tx)).filter(({ status }) => status === 'ready');
    for (const { _id } of ready.slice(mostExports)) {
      const dropped = await this.exports.beginErasing(scope, { _id, now }, tx);
      if (dropped) recordExport(tx, dropped);
    }
  }

  private async fail(row: Pick<ExportRow, '_id' | 'orgId' | 'userId'>, failure: ExportFailure, run?: JobRun) {
    const none = { chats: 0, files: 0, bytes: 0 };
    const end = { status: 'failed', failure, ...none, eraseAt: eraseAtOf(this.clock.now()) } as const;
    await this.change(row, (scope, tx) => this.exports.finish(scope, row, end, tx), run);
  }

  /** Changes the export while this attempt has it, and tells its person's tabs. */
  private change(
    whose: Pick<ExportRow, 'orgId' | 'userId'>,
    act: (scope: OrganisationScope, tx: Transaction) => Promise<ExportRow | null>,
    run?: JobRun,
  ): Promise<ExportRow | null> {
    return this.work.run(acting(whose), async (tx) => {
      await run?.hold(tx);
      const row = await act(jobs.in(whose.orgId), tx);
      if (row) recordExport(tx, row);
      return row;
    });
  }
}

/** Why another attempt makes no sense; null where it does. */
function failureOf(error: unknown): ExportFailure | null {
  if (error instanceof AccessLost) return 'access-lost';
  if (isOverQuota(error)) return 'over-quota';
  return isStorageFull(error) ? 'disk-full' : null;
}
