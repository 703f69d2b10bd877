import type { JobProgress, JobRow, JobRows } from '../../rows/jobs/index.ts';
import type { Transaction } from '../../rows/mongo/index.ts';

/** The job was cancelled, or another attempt holds it: this attempt can store nothing more. */
export class JobLost extends Error {
  override readonly name = 'JobLost';
}

/** The process ends: the job continues in the next process, and the attempt doesn't count. */
export class JobsEnd extends Error {
  override readonly name = 'JobsEnd';
}

type Parts = {
  readonly rows: JobRows;
  readonly row: JobRow;
  /** Aborts when the process ends. */
  readonly ending: AbortSignal;
  /** Returns the time that many milliseconds from now. */
  readonly later: (ms: number) => Date;
  readonly leaseMs: number;
  readonly othersWait: () => boolean;
  readonly sliceMs: number | null;
};

/** One attempt at a job, for the class that runs it. */
export class JobRun {
  /** Aborts when the process ends, when the job is cancelled, and when another process has taken it over. */
  readonly signal: AbortSignal;
  /** The number of this attempt, from 1. */
  attempt: number;
  private readonly lost = new AbortController();
  private readonly beganAt = performance.now();
  private progress: JobProgress | null = null;
  private isFurther = false;

  constructor(private readonly parts: Parts) {
    this.attempt = parts.row.attempts;
    this.signal = AbortSignal.any([parts.ending, this.lost.signal]);
  }

  /**
   * True if the job has used its slice and others wait. Then `run` returns `goOn()`, and the job continues on its next
   * turn.
   */
  get shouldMakeRoom(): boolean {
    const { sliceMs, othersWait } = this.parts;
    return sliceMs !== null && performance.now() - this.beganAt >= sliceMs && othersWait();
  }

  /** Returns the time that many milliseconds from now, for `goOn`. */
  later(ms: number): Date {
    return this.parts.later(ms);
  }

  /**
   * Writes the job's row in the transaction, so that the transaction conflicts with a takeover or a cancellation of the
   * job; throws `JobLost` if one of them came first.
   */
  async hold(tx: Transaction): Promise<void> {
    const { rows, row, leaseMs } = this.parts;
    if (!(await rows.keep(row, { until: this.later(leaseMs) }, tx))) throw this.lose();
  }

  /** Reports the progress, which is stored with the next renewal of the lease. */
  report(progress: JobProgress): void {
    this.progress = progress;
  }

  /** Resets the number of attempts, because the job has progressed. Stored with the next renewal of the lease. */
  progressed(): void {
    this.isFurther = true;
    this.attempt = 1;
  }

  /** Renews the lease of this attempt. The runner does so every few seconds. */
  async renew(): Promise<void> {
    const { rows, row, leaseMs } = this.parts;
    const [progress, isFresh] = [this.progress, this.isFurther];
    [this.progress, this.isFurther] = [null, false];
    if (!(await rows.keep(row, { until: this.later(leaseMs), progress, isFresh }))) this.lose();
  }

  private lose(): JobLost {
    const lost = new JobLost(`${this.parts.row._id} is no longer this attempt's.`);
    this.lost.abort(lost);
    return lost;
  }
}
