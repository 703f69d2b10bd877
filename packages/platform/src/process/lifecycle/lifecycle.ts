import type { Logger } from '../../base/logging/index.ts';

export type ShutdownPhase = 'stop' | 'drain' | 'close';
const phases: readonly ShutdownPhase[] = ['stop', 'drain', 'close'];

type Step = { readonly name: string; readonly run: () => Promise<void> | void };

/**
 * Shuts down in order: `stop` refuses new work, `drain` finishes what runs, `close` closes stores. Steps of a phase run
 * concurrently, last added first; a failing step doesn't stop the others. After the deadline shutdown resolves all the
 * same and says what hung.
 */
export class Lifecycle {
  private readonly steps: Record<ShutdownPhase, Step[]> = { stop: [], drain: [], close: [] };
  private running: Promise<void> | null = null;
  private readonly logger: Logger;
  private readonly deadlineMs: number;

  constructor(logger: Logger, deadlineMs = 10_000) {
    this.logger = logger;
    this.deadlineMs = deadlineMs;
  }

  add(phase: ShutdownPhase, name: string, run: () => Promise<void> | void): void {
    this.steps[phase].unshift({ name, run });
  }

  /** Shuts down once, however often it is called. */
  shutdown(): Promise<void> {
    this.running ??= this.runPhases();
    return this.running;
  }

  private async runPhases(): Promise<void> {
    const endsAt = performance.now() + this.deadlineMs;
    for (const phase of phases) {
      await Promise.all(
        this.steps[phase].map((step) => this.runStep(phase, step, Math.max(endsAt - performance.now(), 100))),
      );
    }
  }

  private async runStep(phase: ShutdownPhase, step: Step, timeoutMs: number): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const deadline = new Promise<'late'>((resolve) => {
      timer = setTimeout(() => resolve('late'), timeoutMs);
    });
    try {
      const outcome = await Promise.race([Promise.resolve(step.run()), deadline]);
      if (outcome === 'late') this.logger.error({ phase, step: step.name }, 'shutdown step did not finish in time');
    } catch (error) {
      this.logger.error({ phase, step: step.name, err: error }, 'shutdown step failed');
    } finally {
      clearTimeout(timer);
    }
  }
}
