import type { GenerationId } from '@parley/contracts';
import type { Kv } from '@parley/platform/kv';
import { randomUUID } from 'node:crypto';
import type { Generation } from '../rows/generation.collection.ts';
import type { Sign } from '../rows/generation.ts';

/** A worker's report about the answers that it holds. */
export type InHand = {
  readonly held: readonly GenerationId[];
  /** The worker has reserved slots for answers that it is still claiming. */
  readonly isClaiming: boolean;
};
/** The last sign of life of a process, with the times (monotonic, in ms) when this process looked for it. */
type Seen = {
  readonly value: string | null;
  readonly changedAt: number;
  /** True if the sign changed between two looks of this process, so the process that writes it was alive. */
  readonly isFresh: boolean;
  readonly lookedAt: number;
};

const beatMs = 1_000;
/** A process is dead if its sign hasn't changed for this long while another process looked for it. */
export const silentProcessMs = 5_000;
/**
 * The longest break between two looks that lets them say something about the time between: in a longer one, `Kv` may
 * have been unavailable.
 */
const mostBetweenLooksMs = 3_000;
/**
 * Signs of dead processes expire after this time, which is long, because `expiresAt` follows the clock of the process
 * that wrote the sign.
 */
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
  /** The beginning of the holder name in this process's leases. */
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

  /** Removes this process's sign, so that others sooner take over the answers that it couldn't give back. */
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

  /**
   * Returns what the looks so far say about the holder of an answer. This process knows its own answers without them.
   */
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

/**
 * Reads a sign. A newer version may write it in another form: then its process is alive, but its answers are unknown.
 */
function inHandOf(value: string): InHand {
  try {
    const { held, isClaiming } = JSON.parse(value) as Partial<InHand>;
    if (Array.isArray(held)) return { held, isClaiming: isClaiming !== false };
  } catch {
    // Treat invalid JSON like any other unreadable sign.
  }
  return { held: [], isClaiming: true };
}
