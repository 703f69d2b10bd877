import type { Thoughts } from '@parley/contracts';

/** So much is kept and shown of it: a page of messages brings the thoughts of each. */
const longestThoughts = 32_000;

/** What a model thinks before its answer, and for how long. */
export class Thinking {
  private text = '';
  private begunAt = 0;
  private endedAt: number | null = null;

  /** As much of it as is kept. What a model thinks behind its first word counts, too, but not its time. */
  take(said: string): string {
    if (this.text === '') this.begunAt = performance.now();
    const kept = said.slice(0, longestThoughts - this.text.length).toWellFormed();
    this.text += kept;
    return kept;
  }

  /** The answer begins. */
  end(): void {
    this.endedAt = performance.now();
  }

  /** Null where it thought nothing. */
  whole(): Thoughts | null {
    if (this.text.trim() === '') return null;
    const ms = Math.round((this.endedAt ?? performance.now()) - this.begunAt);
    return { text: this.text, ms: Math.max(0, ms) };
  }
}
