type Parts = {
  /** Does what there is to do now, or begins it. What it fails at is for the next time. */
  readonly run: () => Promise<unknown>;
  readonly everyMs: number;
  /** The least time from one beginning to the next, however often it is woken. */
  readonly apartMs?: number;
  readonly whenFailed: (error: unknown) => void;
};

/**
 * Does one job again and again, never twice at once: at its start, every so often, and soon after it was woken. A wake-up
 * while it runs makes it run again.
 */
export class Sweep {
  private readonly parts: Parts;
  private timer: NodeJS.Timeout | null = null;
  private delay: NodeJS.Timeout | null = null;
  private running: Promise<void> | null = null;
  private isWokenAgain = false;
  private beganAt = Number.NEGATIVE_INFINITY;

  constructor(parts: Parts) {
    this.parts = parts;
  }

  start(): void {
    this.timer = setInterval(() => this.wake(), this.parts.everyMs);
    this.wake();
  }

  /** Does nothing before the start and after the stop. */
  wake(): void {
    if (!this.timer || this.delay) return;
    if (this.running) {
      this.isWokenAgain = true;
      return;
    }
    const waitMs = this.beganAt + (this.parts.apartMs ?? 0) - performance.now();
    if (waitMs <= 0) this.run();
    else
      this.delay = setTimeout(() => {
        this.delay = null;
        this.run();
      }, waitMs);
  }

  /** Resolves when what runs has ended. */
  async stop(): Promise<void> {
    for (const timer of [this.timer, this.delay]) clearTimeout(timer ?? undefined);
    this.timer = null;
    this.delay = null;
    await this.running;
  }

  private run(): void {
    this.isWokenAgain = false;
    this.beganAt = performance.now();
    this.running = this.parts
      .run()
      .then(() => undefined, this.parts.whenFailed)
      .finally(() => {
        this.running = null;
        if (this.isWokenAgain) this.wake();
      });
  }
}
