import type { GenerationId } from '@parley/contracts';
import type { Kv } from '@parley/platform/kv';
import { randomUUID } from 'node:crypto';
import type { Generation } from '../rows/generation.collection.ts';
import type { Sign } from '../rows/generation.ts';

/** The report of a worker about itself. */
export type InHand = {
  readonly held: readonly GenerationId[];
  /** The worker has reserved slots for answers that it is still claiming. */
  readonly isClaiming: boolean;
};
/** The last sign of a process, with the times of looks in monotonic milliseconds. */
type Seen = {
  readonly value: string | null;
  readonly changedAt: number;
  /** The sign changed while this process looked, so its writer was alive. */
  readonly isFresh: boolean;
  readonly lookedAt: number;
};

const beatMs = 1_000;
/** If a process's sign hasn't changed for this long, while others looked, the process is dead. */
export const silentProcessMs = 5_000;
/** After a longer break between two looks they say nothing of the time between: `Kv` may have been unavailable. */
const mostBetweenLooksMs = 3_000;
/** Signs of dead processes expire. The time is long, because `expiresAt` follows the writer's clock. */
const keptMs = 600_000;

export const holderOf = (processMark: string, worker: number): string => `${processMark}/${worker}`;
const processOf = (holder: string): string => holder.split('/')[0]!;
const keyOf = (processMark: string): string => `chat:alive:${processMark}`;

type Options = { readonly kv: Kv; readonly processMark?: string; readonly now?: () => number };

/**
 * Signs of life (heartbeats) of the processes that write answers, independent of the store. Once a second each process
 * writes to `Kv` which answers its workers hold. Only a change of the sign counts: no clocks are compared, and if `Kv`
 * lost its data, no process counts as dead.
 */
export class SignsOfLife {
  /** Begins the holder name of this process's leases. */
  readonly processMark: string;
  private readonly kv: Kv;
  private readonly now: () => number;
  private readonly workers = new Set<() => InHand>();
  private readonly seen = new Map<string, Seen>();
  private beats = 0;
  private timer: NodeJS.Timeout | null = null;

  constructor({ kv, processMark = randomUUID(), now = () => performance.now() }: Options) {
    this.kv = kv;
    this.processMark = processMark;
    this.now = now;
  }

  add(worker: () => InHand): void {
    this.workers.add(worker);
  }

  start(): void {
    this.timer = setInterval(() => void this.beat(), beatMs);
    void this.beat();
  }

  /** Removes the sign, so that others take over sooner what this process couldn't give back. */
  async stop(): Promise<void> {
    if (this.timer) clearInterval(this.timer);
    this.timer = null;
    await this.kv.delete(keyOf(this.processMark)).catch(() => undefined);
  }

  /** Writes the sign. Ignores a failed write: the next follows in a second. */
  async beat(): Promise<void> {
    this.beats += 1;
    const sign = JSON.stringify({ beat: this.beats, ...this.inHand() });
    await this.kv
      .set(keyOf(this.processMark), sign, { expiresAt: new Date(Date.now() + keptMs) })
      .catch(() => undefined);
  }

  /** Reads the signs of these holders. Call it about once a second for as long as they matter. */
  async look(holders: readonly string[]): Promise<void> {
    const marks = new Set(holders.map(processOf));
    marks.delete(this.processMark);
    try {
      await Promise.all([...marks].map(async (mark) => this.note(mark, await this.kv.get(keyOf(mark)))));
    } catch {
      this.seen.clear(); // Nobody knows who could write meanwhile.
    }
    for (const [mark, { lookedAt }] of this.seen) if (this.now() - lookedAt > keptMs) this.seen.delete(mark);
  }

  /** Returns the conclusion from the looks so far. This process knows its own answers without them. */
  of({ _id, leaseHolder }: Pick<Generation, '_id' | 'leaseHolder'>): Sign {
    if (leaseHolder === null) return 'dead';
    const mark = processOf(leaseHolder);
    if (mark === this.processMark) return signIn(this.inHand(), _id);
    const seen = this.seen.get(mark);
    if (!seen || this.now() - seen.lookedAt > mostBetweenLooksMs) return 'unknown';
    if (this.now() - seen.changedAt >= silentProcessMs) return 'dead';
    return seen.isFresh && seen.value !== null ? signIn(inHandOf(seen.value), _id) : 'unknown';
  }

  private inHand(): InHand {
    const all = [...this.workers].map((worker) => worker());
    return { held: all.flatMap(({ held }) => held), isClaiming: all.some(({ isClaiming }) => isClaiming) };
  }

  private note(mark: string, value: string | null): void {
    const now = this.now();
    const before = this.seen.get(mark);
    if (!before || now - before.lookedAt > mostBetweenLooksMs)
      this.seen.set(mark, { value, changedAt: now, isFresh: false, lookedAt: now });
    else if (before.value !== value)
      this.seen.set(mark, { value, changedAt: now, isFresh: value !== null, lookedAt: now });
    else this.seen.set(mark, { ...before, lookedAt: now });
  }
}

function signIn({ held, isClaiming }: InHand, id: GenerationId): Sign {
  if (held.includes(id)) return 'alive';
  return isClaiming ? 'unknown' : 'dead';
}

/** A newer version may write the sign in another form: its process is alive, but its answers are unknown. */
function inHandOf(value: string): InHand {
  try {
    const { held, isClaiming } = JSON.parse(value) as Partial<InHand>;
    if (Array.isArray(held)) return { held, isClaiming: isClaiming !== false };
  } catch {
    // Treat invalid JSON like any other unreadable sign.
  }
  return { held: [], isClaiming: true };
}
