import type { LiveFrame } from '@parley/platform/live-stream';

/** Collects the text of an answer from its live stream, and counts how much the caller got. */
export class ToldText {
  private text = '';
  private epoch = 0;
  private handedOn = 0;
  private isOver = false;

  /**
   * Adds a frame of the live stream. A frame of a later attempt replaces the text: the earlier attempt ended before its
   * first word, so the caller has nothing of it.
   */
  take({ epoch, offset, delta, end }: LiveFrame): void {
    const before = epoch === this.epoch ? this.text : '';
    this.epoch = epoch;
    this.text = before.slice(0, offset) + delta;
    this.isOver = end !== undefined;
  }

  get hasEnded(): boolean {
    return this.isOver;
  }

  /** Returns text that the caller doesn't have yet; empty if there is none. */
  next(): string {
    const piece = this.text.slice(this.handedOn);
    this.handedOn += piece.length;
    return piece;
  }

  /** Returns the part of the stored text that the caller doesn't have yet. */
  restOf(kept: string): string {
    return kept.slice(this.handedOn);
  }
}
