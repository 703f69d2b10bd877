import { randomUUID } from 'node:crypto';
import type { Clock } from '../../base/clock/index.ts';
import type { JobDefinition } from '../../base/job-definition.ts';
import type { Logger } from '../../base/logging/index.ts';
import type { JobRow, JobRows } from '../../rows/jobs/index.ts';
import { FairTurns, WaitingWalk, type Waiting } from '../fair-turns/index.ts';
import { JobLost, JobRun } from './job-run.ts';

/** Limits the persons whose oldest jobs are compared before one begins. */
const mostPersons = 100;
/** Sets the pause before `giveUp` is called again after it failed. */
const afterFailureMs = 30_000;

/** Says that the job isn't done: it continues on its next turn, or not before `at`. The attempt doesn't count. */
export type GoesOn = { readonly goesOn: true; readonly at: Date | null };
/** Returns the value by which `run` asks to continue later: on its next turn, or not before the given time. */
export const goOn = (at: Date | null = null): GoesOn => ({ goesOn: true, at });

/** The class that runs a kind of job. */
export type JobRunner<Input> = {
  /**
   * Does the job and returns when it is done. It can run once more after that, because a process can die before the end
   * is stored. An error counts as a failed attempt.
   */
  run(input: Input, run: JobRun): Promise<GoesOn | void>;
  /**
   * Stores in the feature's own rows that all attempts failed, for the people concerned; then the job ends. Can be
   * called again. Missing: the job is parked for an admin.
   */
  giveUp?(input: Input, cause: string): Promise<void>;
};

type Parts = {
  readonly rows: JobRows;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly flowOf: (row: JobRow) => string;
  readonly ending: AbortSignal;
  /** Looks for due jobs at the latest this many milliseconds from now. */
  readonly wakeIn: (ms: number) => void;
};

/** The jobs of one kind in this process: finds waiting jobs, in turns of flows and persons, and runs them. */
export class KindQueue<Input> {
  readonly running = new Map<JobRun, Promise<void>>();
  private readonly turns: FairTurns;
  private readonly walk = new WaitingWalk<JobRow>();
  private looking: Promise<void> | null = null;
  private isWokenAgain = false;
  private waiting = 0;

  constructor(
    readonly job: JobDefinition<Input>,
    private readonly runner: JobRunner<Input>,
    private readonly parts: Parts,
  ) {
    this.turns = new FairTurns(job.slots);
  }

  /** Begins waiting jobs while slots are free. Resolves when there is nothing more to begin; never rejects. */
  wake(): Promise<void> {
    this.isWokenAgain = true;
    this.looking ??= this.lookOn().finally(() => (this.looking = null));
    return this.looking;
  }

  private async lookOn(): Promise<void> {
    while (this.isWokenAgain && !this.parts.ending.aborted) {
      this.isWokenAgain = false;
      try {
        if ((await this.look()) > 0) this.isWokenAgain = true;
      } catch (err) {
        this.parts.logger.warn(
          { err, kind: this.job.kind },
          'looking for jobs failed; trying again with the next sweep',
        );
      }
    }
  }

  /** Begins waiting jobs and returns how many. */
  private async look(): Promise<number> {
    const { rows, ending } = this.parts;
    this.waiting = 0;
    const found = await this.walk.read(mostPersons, (last) => rows.nextReady(this.job.kind, last?.part ?? null));
    let begun = 0;
    for (const row of this.turns.inOrder(found, (each) => this.waitingOf(each))) {
      const release = ending.aborted ? null : this.turns.begin(this.waitingOf(row));
      if (!release) this.waiting += 1;
      else if (await this.begin(row, release)) begun += 1;
    }
    return begun;
  }

  private waitingOf(row: JobRow): Waiting {
    const { orgId, person, dueAt } = row;
    return { flow: this.parts.flowOf(row), organisation: orgId ?? '', person, arrivedAt: dueAt };
  }

  private async begin(row: JobRow, release: () => void): Promise<boolean> {
    const { rows, ending } = this.parts;
    const { leaseMs, sliceMs } = this.job;
    const claimed = await rows
      .claim(row, { holder: randomUUID(), until: this.later(leaseMs) })
      .catch((error: unknown) => {
        release();
        throw error;
      });
    if (!claimed) {
      release();
      return false;
    }
    const othersWait = () => this.waiting > 0;
    const later = (ms: number) => this.later(ms);
    const run = new JobRun({ rows, row: claimed, ending, later, leaseMs, othersWait, sliceMs });
    const ended = this.attempt(claimed, run)
      .catch((err: unknown) => {
        // Only logged, because the lease ends in any case and the job is then taken up again.
        this.parts.logger.error({ err, job: claimed._id }, 'the end of a job was not noted');
      })
      .finally(() => {
        release();
        this.running.delete(run);
        void this.wake();
      });
    this.running.set(run, ended);
    return true;
  }

  private later(ms: number): Date {
    return new Date(this.parts.clock.now().getTime() + ms);
  }

  /** Ends the attempt without ending the job; looks again when it is due. */
  private async giveBack(row: JobRow, end: { at: Date | null; isCounted: boolean; cause?: string }): Promise<void> {
    const now = this.parts.clock.now();
    await this.parts.rows.giveBack(row, { ...end, now });
    if (end.at !== null) this.parts.wakeIn(Math.max(0, end.at.getTime() - now.getTime()));
  }

  private async attempt(row: JobRow, run: JobRun): Promise<void> {
    const { rows, clock, ending } = this.parts;
    if (ending.aborted) return this.giveBack(row, { at: null, isCounted: false });
    const { data: input, error: unreadable } = this.job.input.safeParse(row.input);
    // Parks a job that an earlier version queued with other input.
    if (unreadable) return rows.park(row, { now: clock.now(), cause: unreadable.name });
    if (row.attempts > this.job.attempts) return this.giveUp(row, input, row.cause ?? 'interrupted');
    try {
      const end = await this.runner.run(input, run);
      if (end) await this.giveBack({ ...row, attempts: run.attempt }, { at: end.at, isCounted: false });
      else await rows.finish(row, clock.now());
    } catch (error) {
      await this.fail(row, { input, run, error });
    }
  }

  private async fail(
    row: JobRow,
    { input, run, error }: { readonly input: Input; readonly run: JobRun; readonly error: unknown },
  ): Promise<void> {
    const { ending, logger } = this.parts;
    if (run.signal.aborted && run.signal.reason instanceof JobLost) return;
    if (error instanceof JobLost) return;
    if (ending.aborted) return this.giveBack(row, { at: null, isCounted: false });
    const cause = causeOf(error);
    logger.warn({ err: error, job: row._id, attempt: run.attempt }, 'an attempt at a job failed');
    if (run.attempt >= this.job.attempts) return this.giveUp(row, input, cause);
    const at = this.later(this.job.pauseMs(run.attempt));
    await this.giveBack({ ...row, attempts: run.attempt }, { at, isCounted: true, cause });
  }

  private async giveUp(row: JobRow, input: Input, cause: string): Promise<void> {
    const { rows, clock, logger } = this.parts;
    if (!this.runner.giveUp) return rows.park(row, { now: clock.now(), cause });
    try {
      await this.runner.giveUp(input, cause);
    } catch (err) {
      logger.warn({ err, job: row._id }, 'that the attempts of a job are over was not noted; trying again');
      return this.giveBack(row, { at: this.later(afterFailureMs), isCounted: true, cause });
    }
    await rows.finish(row, clock.now());
  }
}

/** Returns class and code of a failure without its message, which can quote what people wrote. */
function causeOf(error: unknown): string {
  if (!(error instanceof Error)) return 'Error';
  const code = (error as { code?: unknown }).code;
  return typeof code === 'string' || typeof code === 'number' ? `${error.name} ${code}` : error.name;
}
