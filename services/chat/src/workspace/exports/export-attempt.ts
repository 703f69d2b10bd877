import { Injectable } from '@nestjs/common';
import { exportFinished, mostExports, type ExportFailure } from '@parley/contracts';
import { Blobs } from '@parley/platform/blobs';
import { Clock } from '@parley/platform/clock';
import { isStorageFull, type Transaction } from '@parley/platform/mongo';
import { Platform } from '@parley/platform/service';
import { Sweep } from '@parley/platform/sweep';
import { job, Work } from '@parley/platform/work';
import { randomUUID } from 'node:crypto';
import { isOverQuota, StorageQuota } from '../../knowledge/documents/index.ts';
import { ArchiveContent } from './archive-content.ts';
import { Archive } from './archive.ts';
import type { ExportRow } from './export.collection.ts';
import { blobKey, eraseAtOf, mostAttempts } from './export.ts';
import { AccessLost, exportingPerson, jobs } from './exporting-person.ts';
import { ExportsRepository } from './exports.repository.ts';
import { recordExport } from './record-export.ts';

/** The next worker takes over so long after a process died. */
export const leaseMs = 30_000;
const keepEveryMs = 2_000;
const retryMs = 10_000;
/** Whether the person can still read is asked each so often. */
const keepsPerAsk = 15;

/** Another worker has it, or it was deleted: nothing of this attempt counts. */
class AttemptLost extends Error {}

type Written = { readonly chats: number; readonly files: number; readonly bytes: number };
type Progress = { done: number; of: number };

const acting = ({ userId }: ExportRow) => job('writes what people export', { onBehalfOf: userId });

/**
 * Writes an export from its beginning: an attempt that ends early leaves nothing, and the next one starts anew. What is
 * whole appears with the transaction that makes it ready.
 */
@Injectable()
export class ExportAttempt {
  constructor(
    private readonly exports: ExportsRepository,
    private readonly content: ArchiveContent,
    private readonly quota: StorageQuota,
    private readonly blobs: Blobs,
    private readonly work: Work,
    private readonly clock: Clock,
    private readonly platform: Platform,
  ) {}

  async run(due: ExportRow, ending: AbortSignal): Promise<void> {
    const row = await this.claim(due);
    if (!row) return;
    if (row.attempts > mostAttempts) return this.fail(row, 'interrupted');
    const lost = new AbortController();
    const progress: Progress = { done: 0, of: 0 };
    const keeping = this.keep(row, progress, lost);
    try {
      const written = await this.write(row, progress, AbortSignal.any([ending, lost.signal]));
      await this.finish(row, written);
    } catch (error) {
      await this.giveUp(row, error, ending);
    } finally {
      await keeping.stop();
    }
  }

  private claim(due: ExportRow): Promise<ExportRow | null> {
    const lease = { holder: randomUUID(), until: this.leaseEnd() };
    return this.work.run(acting(due), async (tx) => {
      const row = await this.exports.claim(jobs.in(due.orgId), due, lease, tx);
      if (row) recordExport(tx, row);
      return row;
    });
  }

  private leaseEnd = (): Date => new Date(this.clock.now().getTime() + leaseMs);

  /** Renews the lease, says how far it is, and asks now and then whether the person can still read. */
  private keep(row: ExportRow, progress: Progress, lost: AbortController): Sweep {
    let kept = 0;
    const run = async (): Promise<void> => {
      const set = { progress: { ...progress }, dueAt: this.leaseEnd() };
      if (!(await this.exports.keep(jobs.in(row.orgId), row, set))) return lost.abort(new AttemptLost());
      kept += 1;
      if (kept % keepsPerAsk === 0) await exportingPerson(this.platform, row);
    };
    const whenFailed = (error: unknown) => {
      if (error instanceof AccessLost) lost.abort(error);
      else this.platform.logger.warn({ err: error, exportId: row._id }, 'the lease of an export was not renewed');
    };
    const keeping = new Sweep({ run, everyMs: keepEveryMs, whenFailed });
    keeping.start();
    return keeping;
  }

  private async write(row: ExportRow, progress: Progress, signal: AbortSignal): Promise<Written> {
    const viewer = await exportingPerson(this.platform, row);
    progress.of = await this.content.count(viewer);
    const onChat = () => {
      progress.done += 1;
      progress.of = Math.max(progress.of, progress.done);
    };
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
  private async finish(row: ExportRow, written: Written): Promise<void> {
    const { scope } = await exportingPerson(this.platform, row);
    const { _id: exportId, orgId, userId } = row;
    const now = this.clock.now();
    await this.work.run(acting(row), async (tx) => {
      const end = { status: 'ready', failure: null, ...written, eraseAt: eraseAtOf(now) } as const;
      const ready = await this.exports.finish(scope, row, end, tx);
      if (!ready) throw new AttemptLost();
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

  private async giveUp(row: ExportRow, error: unknown, ending: AbortSignal): Promise<void> {
    await this.blobs.delete(blobKey(row, row.attempts));
    if (error instanceof AttemptLost) return;
    const failure = failureOf(error);
    if (failure) return this.fail(row, failure);
    const isOurs = ending.aborted;
    if (!isOurs)
      this.platform.logger.warn({ err: error, exportId: row._id, attempt: row.attempts }, 'an export broke off');
    if (!isOurs && row.attempts >= mostAttempts) return this.fail(row, 'interrupted');
    const dueAt = new Date(this.clock.now().getTime() + (isOurs ? 0 : retryMs * row.attempts));
    await this.work.run(acting(row), async (tx) => {
      const released = await this.exports.release(jobs.in(row.orgId), row, { dueAt, isCounted: !isOurs }, tx);
      if (released) recordExport(tx, released);
    });
  }

  private async fail(row: ExportRow, failure: ExportFailure): Promise<void> {
    const none = { chats: 0, files: 0, bytes: 0 };
    const end = { status: 'failed', failure, ...none, eraseAt: eraseAtOf(this.clock.now()) } as const;
    await this.work.run(acting(row), async (tx) => {
      const failed = await this.exports.finish(jobs.in(row.orgId), row, end, tx);
      if (failed) recordExport(tx, failed);
    });
  }
}

/** Why another attempt makes no sense; null where it does. */
function failureOf(error: unknown): ExportFailure | null {
  if (error instanceof AccessLost) return 'access-lost';
  if (isOverQuota(error)) return 'over-quota';
  return isStorageFull(error) ? 'disk-full' : null;
}
