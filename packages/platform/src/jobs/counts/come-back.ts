import { LRUCache } from 'lru-cache';

/** Before the first answers have ended. */
const firstGuessMs = 30_000;
/** Weighs the latest answer against those before it. */
const weight = 0.1;
const leastSeconds = 5;
/** The clients of OpenAI take no notice of more. */
const mostSeconds = 60;
const mostRemembered = 10_000;

/**
 * Tells programs that find no room when to come back. The first comes after half of what an answer takes, since by then one
 * is likely to end. Each that was told before and has yet to come adds its part of what an answer takes. Each process
 * counts for itself, in memory: it spreads out who waits, and decides about nobody.
 */
export class ComeBack {
  private tookMs = firstGuessMs;
  private readonly expectedAt = new LRUCache<string, readonly number[]>({ max: mostRemembered });

  constructor(private readonly now: () => number = () => performance.now()) {}

  /** Notes how long an answer took. */
  noteEnd(tookMs: number): void {
    this.tookMs += (tookMs - this.tookMs) * weight;
  }

  /** Returns in how many seconds there should be room for one more, where `most` have it at once. */
  secondsFor(room: string, most: number): number {
    const now = this.now();
    const waiting = (this.expectedAt.get(room) ?? []).filter((at) => at > now);
    const freeInMs = this.tookMs / 2 + (waiting.length * this.tookMs) / most;
    const seconds = Math.min(mostSeconds, Math.max(leastSeconds, Math.ceil(freeInMs / 1_000)));
    this.expectedAt.set(room, [...waiting, now + seconds * 1_000]);
    return seconds;
  }
}
