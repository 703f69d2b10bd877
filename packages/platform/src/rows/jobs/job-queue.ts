import type { Clock } from '../../base/clock/index.ts';
import type { JobDefinition } from '../../base/job-definition.ts';
import type { Doorbell } from '../../ports/doorbell/index.ts';
import type { Mongo, Transaction } from '../mongo/index.ts';
import { jobId, JobRows, queued, type JobChange, type ParkedOf } from './job-rows.ts';

/** Used in place of a kind: names the doorbell that rings when a job of any kind was queued for a later time. */
export const dueLater = 'due later';
/**
 * Returns the name of the doorbell that rings after a transaction queued a job of this kind, to wake its workers. With
 * `dueLater`, the ring says that a job of any kind is due later.
 */
export const jobBell = (service: string, kind: string): string => `jobs:${service}:${kind}`;

type Parts = { readonly mongo: Mongo; readonly doorbell: Doorbell; readonly clock: Clock; readonly service: string };

/** Takes the jobs of transactions: writes them within the transaction, and rings for their workers after its commit. */
export class JobQueue {
  readonly rows: JobRows;

  constructor(private readonly parts: Parts) {
    this.rows = new JobRows(parts.mongo);
  }

  toQueue<Input>(job: JobDefinition<Input>, input: Input, at?: Date): JobChange {
    return queued(job, input, { now: this.parts.clock.now(), ...(at && { at }) });
  }

  toCancel<Input>(job: JobDefinition<Input>, key: string): JobChange {
    return { cancel: jobId(job, key) };
  }

  write(changes: readonly JobChange[], tx: Transaction): Promise<void> {
    return this.rows.write(changes, tx);
  }

  /** Wakes the queued jobs' workers; call it after the commit. If a ring is lost, jobs wait for the next sweep. */
  ring(changes: readonly JobChange[]): void {
    const bells = changes.flatMap((change) => {
      if (!('queue' in change)) return [];
      return change.queue.state === 'later' ? dueLater : change.queue.kind;
    });
    for (const bell of new Set(bells)) this.ringFor(bell);
  }

  /** Runs parked jobs again immediately; see `JobRows.runAgain`. */
  async runAgain(which: ParkedOf, limit: number): Promise<number> {
    const count = await this.rows.runAgain(which, { now: this.parts.clock.now(), limit });
    if (count > 0) this.ringFor(which.kind);
    return count;
  }

  private ringFor(bell: string): void {
    this.parts.doorbell.ring(jobBell(this.parts.service, bell));
  }
}
