import type { Thoughts } from '@parley/contracts';

/** The most reasoning that is stored and shown: a page of messages has that of each. */
const longestThoughts = 32_000;

/** A model's reasoning before its answer, with its time. */
export class Thinking {
  private text = '';
  private begunAt = 0;
  private endedAt: number | null = null;

  /**
   * Adds reasoning up to the limit and returns what was added. Reasoning after the first word counts too, but not its
   * time.
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

  /** Returns null if there is none. */
  whole(): Thoughts | null {
    if (this.text.trim() === '') return null;
    const ms = Math.round((this.endedAt ?? performance.now()) - this.begunAt);
    return { text: this.text, ms: Math.max(0, ms) };
  }
}
