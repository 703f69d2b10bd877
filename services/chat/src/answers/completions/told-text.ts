import type { LiveFrame } from '@parley/platform/live-stream';

/** The text of an answer from its live stream, and how much of it was passed on. */
export class ToldText {
  private text = '';
  private epoch = 0;
  private handedOn = 0;
  private isOver = false;

  /** Nothing of an earlier attempt was passed on: a second one begins only if the first had no word. */
  take({ epoch, offset, delta, end }: LiveFrame): void {
    const before = epoch === this.epoch ? this.text : '';
    this.epoch = epoch;
    this.text = before.slice(0, offset) + delta;
    this.isOver = end !== undefined;
  }

  get hasEnded(): boolean {
    return this.isOver;
  }

  /** Returns the new text; empty if there is none. */
  next(): string {
    const piece = this.text.slice(this.handedOn);
    this.handedOn += piece.length;
    return piece;
  }

  /** Returns what is missing of the stored text. */
  restOf(kept: string): string {
    return kept.slice(this.handedOn);
  }
}
