import { isDiskFull, StoreError } from '../errors.ts';
import type { Store } from '../storage/store.ts';
import type { HoldLog } from './hold-log.ts';

/** Why a task steps back: to let others run, or until something has happened. */
export type Pause = 'later' | { until: Promise<void> };

/** A command at work. It runs in slices on the one thread that owns the store. */
export type Task = Generator<Pause, Buffer, void>;

export type Outcome = { reply: Buffer } | { error: unknown };

/** How a task runs; `name` is that of its command. */
type TaskOptions = { name: string; isWrite: boolean; deadline: number };
type Job = TaskOptions & { task: Task; done: (outcome: Outcome) => void; isFresh: boolean };

const sliceMs = 1;
/** Writes pay an fsync for each slice. */
const writeSliceMs = 4;
/** A group takes no further writes after this long: reads come between it and the next one. */
const groupMs = 20;
const continuedBudgetMs = 1.5;

export const noRoom = (): StoreError =>
  new StoreError('OutOfDiskSpace', 'the disk is full: nothing is written until there is room');

/** Tells a running task when its slice is used up. */
export class Slice {
  private endsAt = 0;

  start(lengthMs: number): void {
    this.endsAt = performance.now() + lengthMs;
  }

  get isOver(): boolean {
    return performance.now() >= this.endsAt;
  }
}

type Whole<T> = { result: T } | { pause: Pause };

/**
 * Runs several statements as one step: all of them and the kept answer become durable together, so that asking again
 * can't repeat a part. If an open transaction stands in the way, everything is taken back until that has ended.
 */
export function* wholly<T>(store: Store, start: () => Generator<Pause, T, void>): Generator<Pause, T, void> {
  for (;;) {
    const outcome = store.atomically(
      (): Whole<T> => {
        const run = start();
        let step = run.next();
        while (!step.done && step.value === 'later') step = run.next();
        return step.done ? { result: step.value } : { pause: step.value };
      },
      (done) => 'result' in done,
    );
    if ('result' in outcome) return outcome.result;
    yield outcome.pause;
  }
}

/**
 * Runs tasks in turns. A turn runs the new reads, whose answers needn't wait for the disk; then all waiting writes in
 * one SQLite transaction (group commit: one fsync for all of them, and no answer before it) for some 20 ms at most;
 * then long reads are continued a slice at a time. So reads see committed state only.
 */
export class Executor {
  readonly slice = new Slice();
  private readonly store: Store;
  private readonly holds: HoldLog;
  private writes: Job[] = [];
  private reads: Job[] = [];
  private isScheduled = false;
  private readonly parked = new Set<Job>();

  constructor(store: Store, holds: HoldLog) {
    this.store = store;
    this.holds = holds;
  }

  submit(task: Task, options: TaskOptions, done: (outcome: Outcome) => void): void {
    this.enqueue({ task, ...options, done, isFresh: true });
  }

  /** Whether nothing runs or waits. */
  get isIdle(): boolean {
    return this.writes.length === 0 && this.reads.length === 0 && this.parked.size === 0;
  }

  private enqueue(job: Job): void {
    (job.isWrite ? this.writes : this.reads).push(job);
    this.schedule();
  }

  private schedule(): void {
    if (this.isScheduled) return;
    this.isScheduled = true;
    setImmediate(() => this.turn());
  }

  private turn(): void {
    this.isScheduled = false;
    const writes = this.writes;
    const reads = this.reads;
    this.writes = [];
    this.reads = [];
    const continued: Job[] = [];
    for (const job of reads) {
      if (job.isFresh) this.step(job, job.done);
      else continued.push(job);
    }
    if (writes.length > 0) this.runWrites(writes);
    if (continued.length > 0) this.continueReads(continued);
  }

  private runWrites(jobs: Job[]): void {
    const finished: (() => void)[] = [];
    const running: Job[] = [];
    const endsAt = performance.now() + groupMs;
    try {
      this.store.beginGroup();
      for (const job of jobs) {
        if (performance.now() >= endsAt && running.length > 0) break;
        running.push(job);
        this.step(job, (outcome) => finished.push(() => job.done(outcome)));
      }
      this.putBack(jobs.slice(running.length));
      this.holds.start();
      this.store.commitGroup();
      this.holds.end('commit of a group');
    } catch (error) {
      this.store.rollbackGroup();
      this.putBack(jobs.slice(running.length).filter((job) => !this.writes.includes(job)));
      this.dropFrom(running);
      for (const job of running) job.done({ error: this.orNoRoom(error) });
      return;
    }
    for (const answer of finished) answer();
  }

  /** The next group begins with these. */
  private putBack(jobs: readonly Job[]): void {
    if (jobs.length === 0) return;
    this.writes.unshift(...jobs);
    this.schedule();
  }

  /** Room ran out before anybody looked: the next write finds what was held. */
  private orNoRoom(error: unknown): unknown {
    if (!isDiskFull(error)) return error;
    this.store.reserve?.giveUp();
    return noRoom();
  }

  /** After a failed group, its unfinished jobs must not go on with a state that was taken back. */
  private dropFrom(jobs: Job[]): void {
    const failed = new Set(jobs);
    this.writes = this.writes.filter((job) => !failed.has(job));
    this.reads = this.reads.filter((job) => !failed.has(job));
    for (const job of jobs) this.parked.delete(job);
  }

  private continueReads(continued: Job[]): void {
    const budgetEnd = performance.now() + continuedBudgetMs;
    const next = continued.findIndex((job) => {
      if (performance.now() >= budgetEnd) return true;
      this.step(job, job.done);
      return false;
    });
    if (next < 0) return;
    this.reads.unshift(...continued.slice(next));
    this.schedule();
  }

  private step(job: Job, done: (outcome: Outcome) => void): void {
    this.slice.start(job.isWrite ? writeSliceMs : sliceMs);
    job.isFresh = false;
    this.holds.start();
    try {
      const isLate = performance.now() > job.deadline;
      const step = isLate
        ? job.task.throw(new StoreError('MaxTimeMSExpired', 'operation exceeded time limit'))
        : job.task.next();
      if (step.done) done({ reply: step.value });
      else this.pause(job, step.value);
    } catch (error) {
      if (!(error instanceof StoreError) && job.isWrite) throw error;
      done({ error });
    } finally {
      this.holds.end(job.name);
    }
  }

  private pause(job: Job, pause: Pause): void {
    if (pause === 'later') return this.enqueue(job);
    this.parked.add(job);
    const wake = (): void => {
      clearTimeout(timer);
      if (this.parked.delete(job)) this.enqueue(job);
    };
    const timer = Number.isFinite(job.deadline)
      ? setTimeout(wake, Math.max(0, job.deadline - performance.now()) + 1)
      : undefined;
    void pause.until.then(wake);
  }
}
