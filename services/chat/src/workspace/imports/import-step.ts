import { Injectable } from '@nestjs/common';
import { UnreadableExport } from '@parley/chat-exports';
import { importsChanged, type ImportFailure } from '@parley/contracts';
import { Clock } from '@parley/platform/clock';
import type { OrganisationScope } from '@parley/platform/mongo';
import { Platform } from '@parley/platform/service';
import { job, Work } from '@parley/platform/work';
import { Problem } from '@parley/protocol';
import { randomUUID } from 'node:crypto';
import { CheckExport, toldOf } from './check-export.ts';
import { ExportReader, UploadGone } from './export-reader.ts';
import { ImportExport } from './import-export.ts';
import { fullIn, isOfServer } from './import-faults.ts';
import { LostImport } from './import-fence.ts';
import type { ImportRow } from './import.collection.ts';
import { mostFailures } from './import.ts';
import { AccessLost, assertMayImport } from './import-rights.ts';
import { ImportsRepository, type Change } from './imports.repository.ts';
import { Uploads } from './uploads.ts';

/** Renewed while it runs; a dead worker's import is taken over after that. */
const leaseMs = 15_000;
/** Limits how often an import is taken over whose workers die each time. */
const longestLeaseMs = 3_600_000;
const longestPauseMs = 60_000;
/** Delays the next attempt after a server error. */
const waitMs = 15_000;
const working = job('imports chats');

type Renewing = { readonly spanMs: number; readonly lost: AbortController };
type Ended = Pick<ImportRow, 'status'> & { readonly failure: ImportFailure | null };

/** One turn of one import: its check, or as many of its chats as there is time for. */
@Injectable()
export class ImportStep {
  constructor(
    private readonly imports: ImportsRepository,
    private readonly reader: ExportReader,
    private readonly checking: CheckExport,
    private readonly importing: ImportExport,
    private readonly uploads: Uploads,
    private readonly work: Work,
    private readonly clock: Clock,
    private readonly platform: Platform,
  ) {}

  /** Does nothing where another worker has it, or another import of the person runs. */
  async run(
    scope: OrganisationScope,
    seen: ImportRow,
    { ending, othersWait }: { readonly ending: AbortSignal; readonly othersWait: () => boolean },
  ): Promise<void> {
    const killed = Math.max(0, seen.failures - mostFailures);
    const spanMs = Math.min(leaseMs * 2 ** killed, longestLeaseMs);
    const row = await this.imports.claim(scope, seen, { holder: randomUUID(), until: this.later(spanMs) });
    if (!row) return;
    const lost = new AbortController();
    const signal = AbortSignal.any([ending, lost.signal]);
    const renewing = setInterval(() => void this.renew(scope, row, { spanMs, lost }), leaseMs / 3);
    try {
      await this.act(scope, row, { signal, othersWait });
    } catch (error) {
      await this.fail(scope, row, { error, ending });
    } finally {
      clearInterval(renewing);
      const ended = await this.imports.findAny(scope, row._id);
      if (ended?.isSettling) await this.uploads.settle(scope, ended);
    }
  }

  private async act(
    scope: OrganisationScope,
    row: ImportRow,
    { signal, othersWait }: { readonly signal: AbortSignal; readonly othersWait: () => boolean },
  ): Promise<void> {
    await assertMayImport(this.platform, row);
    if (row.status === 'checking') await this.complete(scope, row);
    const opened = await this.reader.open(row, signal);
    try {
      if (row.status === 'checking') await this.checking.run(scope, row, { opened, signal });
      else await this.importing.run(scope, row, { opened, signal, othersWait });
    } finally {
      await opened.close();
    }
  }

  /** Makes the files of the upload whole. */
  private async complete(scope: OrganisationScope, row: ImportRow): Promise<void> {
    const files = await this.uploads.complete(row).catch((error: unknown) => {
      throw error instanceof Problem && error.code === 'platform.not-found' ? new UploadGone() : error;
    });
    if (!(await this.imports.keep(scope, row, { set: { files } }))) throw new LostImport();
  }

  private async renew(scope: OrganisationScope, row: ImportRow, { spanMs, lost }: Renewing): Promise<void> {
    try {
      if (!(await this.imports.keep(scope, row, { set: { dueAt: this.later(spanMs) } }))) lost.abort(new LostImport());
    } catch (err) {
      this.platform.logger.warn({ err }, 'the lease of an import was not renewed');
    }
  }

  private async fail(
    scope: OrganisationScope,
    row: ImportRow,
    { error, ending }: { readonly error: unknown; readonly ending: AbortSignal },
  ): Promise<void> {
    if (error instanceof LostImport) return;
    // Chats have come since it was claimed.
    const failures = (await this.imports.findAny(scope, row._id))?.failures ?? row.failures;
    const before = Math.max(0, failures - 1);
    if (ending.aborted) return this.giveBack(scope, row, { failures: before, dueAt: this.clock.now() });
    if (error instanceof UnreadableExport) return this.end(scope, row, { status: 'failed', failure: error.reason });
    if (error instanceof UploadGone) return this.end(scope, row, { status: 'failed', failure: 'gone' });
    if (error instanceof AccessLost) return this.end(scope, row, { status: 'failed', failure: 'access-lost' });
    const full = fullIn(error);
    const isLast = failures >= mostFailures;
    if (full === null && isOfServer(error))
      await this.giveBack(scope, row, { failures: before, dueAt: this.later(waitMs) });
    else if (!isLast)
      await this.giveBack(scope, row, { dueAt: this.later(Math.min(1_000 * 2 ** failures, longestPauseMs)) });
    // Once there is room again, its person goes on.
    else if (full)
      await this.end(scope, row, { status: row.status === 'checking' ? 'uploading' : 'paused', failure: full });
    else await this.end(scope, row, { status: 'failed', failure: 'internal' });
    if (full === null) throw error;
  }

  /** For the next worker. */
  private async giveBack(scope: OrganisationScope, row: ImportRow, set: Change): Promise<void> {
    await this.imports.keep(scope, row, { set: { ...set, isRunning: false, holder: null } });
  }

  private async end(scope: OrganisationScope, row: ImportRow, { status, failure }: Ended): Promise<void> {
    const released = { isWanted: false, isRunning: false, holder: null, failures: 0, dueAt: this.clock.now() };
    const set = { status, failure, isSettling: status === 'failed' && failure !== 'internal', ...released };
    const ended = await this.work.run(working, async (tx) => {
      const now = await this.imports.keep(scope, row, { set, status: row.status }, tx);
      if (now) tx.record(importsChanged, toldOf(now));
      return now;
    });
    // It was paused or stopped meanwhile: that stays.
    if (!ended) await this.giveBack(scope, row, {});
  }

  private later(ms: number): Date {
    return new Date(this.clock.now().getTime() + ms);
  }
}
