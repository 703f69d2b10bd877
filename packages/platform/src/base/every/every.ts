import { AsyncLocalStorage } from 'node:async_hooks';
import type { Logger } from '../logging/index.ts';

/** One run of the upkeep. The signal is aborted to end it early. */
type Run = (signal: AbortSignal) => unknown;

const soonMs = 50;
const retryMs = 5_000;

/**
 * Declares upkeep (repeated background work): calls `run` at the start, `ms` milliseconds after each end, and soon
 * after a wake. The platform starts and stops a provider's `readonly upkeep`; any other upkeep is started and stopped
 * by its owner.
 */
export const every = (name: string, ms: number, run: Run): Upkeep => new Upkeep(name, ms, run);

/**
 * Runs something repeatedly, never twice at once. A failure is logged with the name, once while it stays the same, and
 * retried after at most five seconds.
 */
export class Upkeep {
  private logger: Pick<Logger, 'warn'> | null = null;
  private readonly ending = new AbortController();
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> | null = null;
  private dueAt = Number.POSITIVE_INFINITY;
  private wokenMs = Number.POSITIVE_INFINITY;
  private lastFailure = '';
  /**
   * Runs something outside of the calling request, without its trace and without its permission to write on a full
   * disk.
   */
  private apart: <Result>(act: () => Result) => Result = (act) => act();

  constructor(
    private readonly name: string,
    private readonly ms: number,
    private readonly run: Run,
  ) {}

  /** Starts the first run immediately. Idempotent; does nothing after the stop. Its timer keeps no process alive. */
  start(logger: Pick<Logger, 'warn'>): void {
    if (this.logger || this.ending.signal.aborted) return;
    this.logger = logger;
    this.apart = AsyncLocalStorage.snapshot();
    this.begin();
  }

  /**
   * Runs within `withinMs` milliseconds, or that long after the current run. Several wakes share one run at the
   * earliest time.
   */
  wake(withinMs = soonMs): void {
    if (!this.logger) return;
    if (this.running) this.wokenMs = Math.min(this.wokenMs, withinMs);
    else this.runIn(withinMs);
  }

  /** Aborts the signal and resolves when the current run has ended. No run begins after that. Idempotent. */
  async stop(): Promise<void> {
    this.ending.abort();
    clearTimeout(this.timer);
    await this.running;
  }

  private runIn(ms: number): void {
    const dueAt = performance.now() + ms;
    if (this.ending.signal.aborted || dueAt >= this.dueAt) return;
    this.dueAt = dueAt;
    clearTimeout(this.timer);
    this.timer = this.apart(() => setTimeout(() => this.begin(), ms).unref());
  }

  private begin(): void {
    this.dueAt = this.wokenMs = Number.POSITIVE_INFINITY;
    this.running = this.runOnce().then((waitMs) => {
      this.running = null;
      this.runIn(Math.min(waitMs, this.wokenMs));
    });
  }

  /** Runs the upkeep once and resolves with the milliseconds until the next run. Never rejects. */
  private async runOnce(): Promise<number> {
    try {
      await this.run(this.ending.signal);
      this.lastFailure = '';
      return this.ms;
    } catch (error) {
      const isNew = String(error) !== this.lastFailure;
      this.lastFailure = String(error);
      if (isNew && !this.ending.signal.aborted)
        this.logger?.warn({ err: error, upkeep: this.name }, 'upkeep failed; trying again');
      return Math.min(this.ms, retryMs);
    }
  }
}
