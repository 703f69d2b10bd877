import { setTimeout as wait } from 'node:timers/promises';
import type { World } from './world.ts';

const measuresAtRest = 3;
const betweenMs = 1_000;
const lookEveryMs = 500;
/** Limits how much memory the embedded edition takes during an attack, beyond that at rest. A leak or an unbounded buffer takes more. */
export const mostGrowthMb = 1_536;

/** Measures the memory of the attacked processes: the median at rest and the peak since. */
export class Memory {
  peakMb = 0;
  readonly atRestMb: number;
  private readonly timer: NodeJS.Timeout;

  private constructor(world: World, atRestMb: number) {
    this.atRestMb = atRestMb;
    this.timer = setInterval(() => (this.peakMb = Math.max(this.peakMb, world.rssMb() ?? 0)), lookEveryMs);
  }

  /** Measures it at rest and watches it until `close`. Resolves with null where the system doesn't say. */
  static async watch(world: World): Promise<Memory | null> {
    const measures: number[] = [];
    for (let each = 0; each < measuresAtRest; each += 1) {
      const now = world.rssMb();
      if (now === null) return null;
      measures.push(now);
      await wait(betweenMs);
    }
    return new Memory(world, measures.toSorted((one, other) => one - other)[Math.floor(measuresAtRest / 2)]!);
  }

  get growthMb(): number {
    return this.peakMb - this.atRestMb;
  }

  get figures(): string {
    return `${this.atRestMb} MB at rest, ${this.peakMb} MB at most`;
  }

  close(): void {
    clearInterval(this.timer);
  }
}
