import { Injectable } from '@nestjs/common';
import { Clock } from '@parley/platform/clock';
import { goOn, type GoesOn, type JobRun, type JobRunner } from '@parley/platform/jobs';
import { jobScope, type OrganisationScope, type Transaction } from '@parley/platform/mongo';
import { Work, type job } from '@parley/platform/work';
import type { By } from './reading.ts';
import { isUnread, type ReadingInput } from './reading-jobs.ts';

/** Keeps erasers away from a file that somebody may still read. */
const heldMs = 120_000;
const jobs = jobScope('reading uploaded files');

export type FailureOfAttempts = 'reader-stopped' | 'internal';
/** A file before a reader takes it. */
type Unread = { readonly status: string; readonly takesLong?: boolean | undefined };

/** Files that wait to be read: documents, or files of chats. */
export type ReadingSource<Id extends string, Row extends Unread> = {
  readonly rows: {
    find(scope: OrganisationScope, id: Id): Promise<Row | null>;
    /** Claims a row that was found. Of several readers one gets the row, and the others null. */
    claim(scope: OrganisationScope, seen: Row, heldUntil: Date): Promise<Row | null>;
    /** Marks the file as failed after its last attempt. */
    giveUp(
      scope: OrganisationScope,
      gone: { id: Id; failure: FailureOfAttempts },
      tx: Transaction,
    ): Promise<Row | null>;
  };
  readonly actor: ReturnType<typeof job>;
  /** Publishes the present state of the row. */
  record(tx: Transaction, row: Row): void;
  /** Reads what was taken, and stores what came of it. */
  read(row: Row, by: By): Promise<void>;
};

/**
 * The readers of this process: they read files of all sources in their turns, whatever they are files of. A source
 * is added before the application begins.
 */
@Injectable()
export class Readers implements JobRunner<ReadingInput> {
  private readonly sources = new Map<string, ReadingSource<string, Unread>>();

  constructor(
    private readonly work: Work,
    private readonly clock: Clock,
  ) {}

  add<Id extends string, Row extends Unread>(name: ReadingInput['source'], source: ReadingSource<Id, Row>): void {
    this.sources.set(name, source as unknown as ReadingSource<string, Unread>);
  }

  async run({ source: name, id, orgId }: ReadingInput, { signal: stopping }: JobRun): Promise<GoesOn | void> {
    const source = this.sources.get(name)!;
    const scope = jobs.in(orgId);
    const seen = await source.rows.find(scope, id);
    if (!seen || !isUnread(seen)) return;
    const row = await source.rows.claim(scope, seen, new Date(this.clock.now().getTime() + heldMs));
    if (!row) return goOn();
    await this.work.run(source.actor, async (tx) => source.record(tx, row));
    await source.read(row, { mayTakeLong: seen.takesLong === true, stopping });
  }

  /** A process that ended may have done so because of the file. */
  async giveUp({ source: name, id, orgId }: ReadingInput, cause: string): Promise<void> {
    const failure = cause === 'ReaderStopped' || cause === 'interrupted' ? 'reader-stopped' : 'internal';
    const source = this.sources.get(name)!;
    await this.work.run(source.actor, async (tx) => {
      const row = await source.rows.giveUp(jobs.in(orgId), { id, failure }, tx);
      if (row) source.record(tx, row);
    });
  }
}
