import type { LiveFrame } from '@parley/platform/live-stream';

/** An answer as far as its live stream has told it, and how much of that has been handed on. */
export class ToldText {
  private text = '';
  private epoch = 0;
  private handedOn = 0;
  private isOver = false;

  /** Of an earlier attempt nothing was handed on: a second one begins only where the first had no word. */
  take({ epoch, offset, delta, end }: LiveFrame): void {
    const before = epoch === this.epoch ? this.text : '';
    this.epoch = epoch;
    this.text = before.slice(0, offset) + delta;
    this.isOver = end !== undefined;
  }

  get hasEnded(): boolean {
    return this.isOver;
  }

  /** What is new; empty where nothing is. */
  next(): string {
    const piece = this.text.slice(this.handedOn);
    this.handedOn += piece.length;
    return piece;
  }

  /** What is missing of the text as it is kept. */
  restOf(kept: string): string {
    return kept.slice(this.handedOn);
  }
}
