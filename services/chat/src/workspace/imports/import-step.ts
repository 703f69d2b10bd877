import { Injectable } from '@nestjs/common';
import { UnreadableExport } from '@parley/chat-exports';
import type { ImportFailure, ImportId } from '@parley/contracts';
import { goOn, type GoesOn, type JobInput, type JobRun, type JobRunner } from '@parley/platform/jobs';
import { jobScope, type OrganisationScope } from '@parley/platform/mongo';
import { Platform } from '@parley/platform/service';
import { job, Work } from '@parley/platform/work';
import { Problem } from '@parley/protocol';
import { randomUUID } from 'node:crypto';
import { CheckExport } from './check-export.ts';
import { ExportReader, UploadGone } from './export-reader.ts';
import { ImportExport } from './import-export.ts';
import { fullIn, isOfServer } from './import-faults.ts';
import type { importChats } from './import-job.ts';
import type { ImportRow } from './import.collection.ts';
import { mostFailures } from './import.ts';
import { AccessLost, assertMayImport } from './import-rights.ts';
import { ImportsRepository, LostImport } from './imports.repository.ts';
import { Uploads } from './uploads.ts';

const jobs = jobScope('chats are imported');
/** Another import of the person runs: this one looks again after that. */
const otherRunsMs = 5_000;
/** Delays the next turn after an error of the server, which is no attempt. */
const waitMs = 15_000;
const working = job('imports chats');

type Ended = Pick<ImportRow, 'status'> & { readonly failure: ImportFailure | null };
type Input = JobInput<typeof importChats>;

/** One turn of one import: its check, or as many of its chats as there is time for. */
@Injectable()
export class ImportStep implements JobRunner<Input> {
  constructor(
    private readonly imports: ImportsRepository,
    private readonly reader: ExportReader,
    private readonly checking: CheckExport,
    private readonly importing: ImportExport,
    private readonly uploads: Uploads,
    private readonly work: Work,
    private readonly platform: Platform,
  ) {}

  /** Goes on later as long as the import wants something. */
  async run({ orgId, importId }: Input, run: JobRun): Promise<GoesOn | void> {
    const scope = jobs.in(orgId);
    const seen = await this.imports.findAny(scope, importId);
    if (!seen) return;
    // It was paused or stopped, and the attempt that had it died.
    if (!seen.isWanted) return this.settle(scope, importId);
    const row = await this.imports.claim(scope, seen, { holder: randomUUID() });
    if (!row) return goOn(run.later(otherRunsMs));
    let at: Date | null = null;
    try {
      await this.act(scope, row, run);
    } catch (error) {
      // Another attempt has it, and the job with it; or it was deleted, and the job, too.
      if (error instanceof LostImport) return goOn();
      at = await this.fail(scope, row, { error, run });
    }
    await this.settle(scope, importId);
    const ended = await this.imports.findAny(scope, importId);
    if (ended?.isWanted) return goOn(at);
  }

  /** Its workers died again and again. */
  async giveUp({ orgId, importId }: Input): Promise<void> {
    const scope = jobs.in(orgId);
    const row = await this.imports.findAny(scope, importId);
    if (row?.isRunning) await this.end(scope, row, { status: 'failed', failure: 'internal' });
  }

  private async settle(scope: OrganisationScope, importId: ImportId): Promise<void> {
    await this.imports.release(scope, { _id: importId });
    const row = await this.imports.findAny(scope, importId);
    if (row?.isSettling) await this.uploads.settle(scope, row);
  }

  private async act(scope: OrganisationScope, row: ImportRow, run: JobRun): Promise<void> {
    const { signal } = run;
    await assertMayImport(this.platform, row);
    if (row.status === 'checking') await this.complete(scope, row);
    const opened = await this.reader.open(row, signal);
    try {
      if (row.status === 'checking') await this.checking.run(scope, row, { opened, run });
      else await this.importing.run(scope, row, { opened, run });
    } finally {
      await opened.close();
    }
  }

  /** Makes the files of the upload whole. */
  private async complete(scope: OrganisationScope, row: ImportRow): Promise<void> {
    const files = await this.uploads.complete(row).catch((error: unknown) => {
      throw error instanceof Problem && error.code === 'platform.not-found' ? new UploadGone() : error;
    });
    await this.imports.hold(scope, row, { files });
  }

  /** Returns when it goes on; null where it ended. Throws what the job tries again. */
  private async fail(
    scope: OrganisationScope,
    row: ImportRow,
    { error, run }: { readonly error: unknown; readonly run: JobRun },
  ): Promise<Date | null> {
    const { signal, attempt } = run;
    const isServers = fullIn(error) === null && isOfServer(error);
    const end = signal.aborted ? null : endOf(row, error, !isServers && attempt >= mostFailures);
    if (end?.failure === 'internal' || (isServers && !signal.aborted))
      this.platform.logger.warn({ err: error, orgId: row.orgId, importId: row._id }, 'a turn of an import failed');
    if (end) return this.end(scope, row, end);
    await this.giveBack(scope, row);
    if (signal.aborted || !isServers) throw error;
    return run.later(waitMs);
  }

  /** For the next worker. */
  private async giveBack(scope: OrganisationScope, row: ImportRow): Promise<void> {
    await this.imports.keep(scope, row, { set: { isRunning: false, holder: null } });
  }

  private async end(scope: OrganisationScope, row: ImportRow, { status, failure }: Ended): Promise<null> {
    const released = { isWanted: false, isRunning: false, holder: null };
    const set = { status, failure, isSettling: status === 'failed' && failure !== 'internal', ...released };
    const ended = await this.work.run(working, (tx) => this.imports.tell(scope, row, { set, status: row.status }, tx));
    // It was paused or stopped meanwhile: that stays.
    if (!ended) await this.giveBack(scope, row);
    return null;
  }
}

/** Returns how the import ends by this error; null where another attempt may help. */
function endOf({ status }: ImportRow, error: unknown, isLast: boolean): Ended | null {
  if (error instanceof UnreadableExport) return { status: 'failed', failure: error.reason };
  if (error instanceof UploadGone) return { status: 'failed', failure: 'gone' };
  if (error instanceof AccessLost) return { status: 'failed', failure: 'access-lost' };
  if (!isLast) return null;
  // Once there is room again, its person goes on.
  const full = fullIn(error);
  return full
    ? { status: status === 'checking' ? 'uploading' : 'paused', failure: full }
    : { status: 'failed', failure: 'internal' };
}
