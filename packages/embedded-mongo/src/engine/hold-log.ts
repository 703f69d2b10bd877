/** How long one command had the store's thread to itself, in milliseconds of CPU time. */
export type Hold = { readonly command: string; readonly ms: number };

/** A hold of this length delays every other client noticeably. */
export const longHoldMs = 50;

/**
 * Measures how long commands hold the store's only thread. CPU time, not wall time: what the disk or a busy machine
 * takes is no command's doing.
 */
export class HoldLog {
  private startedAt = 0;
  private longest: Hold = { command: '', ms: 0 };
  private long = 0;

  start(): void {
    this.startedAt = cpuMs();
  }

  /** Notes what ran since `start` under this name. */
  end(command: string): void {
    const ms = cpuMs() - this.startedAt;
    if (ms > longHoldMs) this.long += 1;
    if (ms > this.longest.ms) this.longest = { command, ms };
  }

  /** The longest hold since the start or the last `reset`, and how many were longer than `longHoldMs`. */
  read({ reset = false }: { readonly reset?: boolean } = {}): { longest: Hold; longHolds: number } {
    const { longest, long: longHolds } = this;
    if (reset) [this.longest, this.long] = [{ command: '', ms: 0 }, 0];
    return { longest, longHolds };
  }
}

function cpuMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}
