/** The faults of a process, in a few words each; empty if there are none. */
export type Verdict = {
  readonly reasons: readonly string[];
  /** Notes that the operator should know although there is no fault. */
  readonly notes?: readonly string[];
};
/** Returns the fault of one part, or null. Must return immediately, because probes don't wait for it. */
export type Check = () => string | null;

const beatMs = 1_000;
/** The process counts as dead after its event loop stood still for this long, because it then serves nobody. */
const loopDelayLimitMs = 5_000;

/**
 * Answers the probes. Started: the settings are valid and the parts exist. Ready: requests are welcome. Alive: the
 * event loop turns and consumers progress. An unavailable store, bus or cache never makes a process dead, because a
 * restart would not help.
 */
export class Health {
  private readonly readiness = new Map<string, Check>();
  private readonly liveness = new Map<string, Check>();
  private readonly remarks = new Map<string, Check>();
  private hasStarted = false;
  private isServing = false;
  private isDraining = false;
  private lastBeatAt = performance.now();
  private readonly heart = setInterval(() => (this.lastBeatAt = performance.now()), beatMs).unref();

  /** Marks the process as started; it can still be waiting for other systems. */
  started(): void {
    this.hasStarted = true;
  }

  serving(): void {
    this.isServing = true;
  }

  /** Marks the process as not ready from now on, because it takes no new work. */
  draining(): void {
    this.isDraining = true;
  }

  readyWhile(part: string, check: Check): void {
    this.readiness.set(part, check);
  }

  /** Adds a note to readiness that doesn't keep requests away, because people can still work. */
  note(part: string, check: Check): void {
    this.remarks.set(part, check);
  }

  aliveWhile(part: string, check: Check): void {
    this.liveness.set(part, check);
  }

  startup(): Verdict {
    return { reasons: this.hasStarted ? [] : ['starting'] };
  }

  ready(): Verdict {
    if (this.isDraining) return { reasons: ['draining'] };
    const reasons = [...(this.isServing ? [] : ['starting']), ...reasonsOf(this.readiness)];
    return { reasons, notes: reasonsOf(this.remarks) };
  }

  live(): Verdict {
    const delayMs = performance.now() - this.lastBeatAt - beatMs;
    return {
      reasons: [
        ...(delayMs > loopDelayLimitMs ? [`event loop: away for ${Math.round(delayMs / 1_000)} s`] : []),
        ...reasonsOf(this.liveness),
      ],
    };
  }

  close(): void {
    clearInterval(this.heart);
  }
}

function reasonsOf(checks: ReadonlyMap<string, Check>): string[] {
  return [...checks].flatMap(([part, check]) => {
    const reason = check();
    return reason === null ? [] : [`${part}: ${reason}`];
  });
}
