import { Injectable } from '@nestjs/common';
import { Clock } from '@parley/platform/clock';
import { goOn, type GoesOn, type JobRun, type JobRunner } from '@parley/platform/jobs';
import { jobScope, type OrganisationScope } from '@parley/platform/mongo';
import type { By } from './reading.ts';
import type { ReadingInput } from './reading-jobs.ts';

/** Keeps erasers away from a file that somebody may still read. */
const heldMs = 120_000;
const job = jobScope('reading uploaded files');

export type FailureOfAttempts = 'reader-stopped' | 'internal';
/** A file before a reader takes it. */
type Unread = { readonly takesLong?: boolean | undefined };
/** Reads what was taken, and stores what came of it. */
type Reading = (by: By) => Promise<void>;

/** Finds files that wait to be read: documents, or files of chats. */
export type ReadingSource<Id extends string, Row extends Unread> = {
  /** Null where it does not wait to be read. */
  find(scope: OrganisationScope, id: Id): Promise<Row | null>;
  /** Takes what was found: of several readers one gets it, null the others. */
  take(seen: Row, heldUntil: Date): Promise<Reading | null>;
  /** Its attempts are over. */
  giveUp(scope: OrganisationScope, id: Id, failure: FailureOfAttempts): Promise<void>;
};

/**
 * The readers of this process: they read files of all sources in their turns, whatever they are files of. A source
 * is added before the application begins.
 */
@Injectable()
export class Readers implements JobRunner<ReadingInput> {
  private readonly sources = new Map<string, ReadingSource<string, Unread>>();

  constructor(private readonly clock: Clock) {}

  add<Id extends string, Row extends Unread>(name: ReadingInput['source'], source: ReadingSource<Id, Row>): void {
    this.sources.set(name, source as unknown as ReadingSource<string, Unread>);
  }

  async run({ source: name, id, orgId }: ReadingInput, { signal: stopping }: JobRun): Promise<GoesOn | void> {
    const source = this.sources.get(name)!;
    const seen = await source.find(job.in(orgId), id);
    if (!seen) return;
    const read = await source.take(seen, new Date(this.clock.now().getTime() + heldMs));
    if (!read) return goOn();
    await read({ mayTakeLong: seen.takesLong === true, stopping });
  }

  /** A process that ended may have done so because of the file. */
  giveUp({ source, id, orgId }: ReadingInput, cause: string): Promise<void> {
    const failure = cause === 'ReaderStopped' || cause === 'interrupted' ? 'reader-stopped' : 'internal';
    return this.sources.get(source)!.giveUp(job.in(orgId), id, failure);
  }
}
