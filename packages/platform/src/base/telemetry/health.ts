/** The faults, in a few words each; empty if there are none. */
export type Verdict = {
  readonly reasons: readonly string[];
  /** What the operator should know although there is no fault. */
  readonly notes?: readonly string[];
};
/** Returns the fault of one part, or null. Must return immediately, so its caller needn't wait. */
export type Check = () => string | null;

const beatMs = 1_000;
/** An event loop that stood still for this long serves nobody. */
const loopDelayLimitMs = 5_000;

/**
 * Answers the probes. Started: the settings are valid and the parts exist. Ready: requests are welcome. Alive: the
 * event loop turns and consumers move. An unavailable store, bus or cache never makes a process dead, because a restart
 * would not help.
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

  /** The process is up, but can still be waiting for other systems. */
  started(): void {
    this.hasStarted = true;
  }

  serving(): void {
    this.isServing = true;
  }

  /** Takes no new work from now on. */
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
