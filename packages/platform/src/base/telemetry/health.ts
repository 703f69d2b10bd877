/** What is wrong, in a few words each; empty when all is well. */
export type Verdict = {
  readonly reasons: readonly string[];
  /** What the operator should know although all is well. */
  readonly notes?: readonly string[];
};
/** What is wrong with one part, or null. Must answer at once: whoever knows keeps it at hand. */
export type Check = () => string | null;

const beatMs = 1_000;
/** An event loop that was away for this long does nothing for anybody. */
const loopDelayLimitMs = 5_000;

/**
 * What the probes are told. Started: the settings are valid and the parts are there. Ready: requests are welcome.
 * Alive: the event loop turns and consumers move; a store, bus or cache that is away never makes a process dead, since
 * a restart would not help.
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
