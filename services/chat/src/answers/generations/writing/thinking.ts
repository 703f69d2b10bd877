import type { Thoughts } from '@parley/contracts';

/** The most characters of reasoning to store and show, because a page of messages has the reasoning of each. */
const longestThoughts = 32_000;

/** Collects a model's reasoning before its answer, with its duration. */
export class Thinking {
  private text = '';
  private begunAt = 0;
  private endedAt: number | null = null;

  /**
   * Adds reasoning up to the limit and returns the added part. Adds reasoning after the answer's first word, too, but
   * not the time that it takes.
   */
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

  /** Returns null if there is no reasoning. */
  whole(): Thoughts | null {
    if (this.text.trim() === '') return null;
    const ms = Math.round((this.endedAt ?? performance.now()) - this.begunAt);
    return { text: this.text, ms: Math.max(0, ms) };
  }
}
