import type { LiveFrame, LivePosition } from '../live-stream.ts';

/**
 * The frames of one epoch: the newest in a ring, those that fell out of it joined to one text. So whoever comes late,
 * or lags behind the ring, gets the whole text in few frames: the joined one starts at offset 0 and replaces what its
 * reader has.
 */
export class KeptFrames {
  private readonly ring: LiveFrame[] = [];
  private oldest = 0;
  private joinedText = '';
  private joinedSeq = 0;
  lastSeq = 0;
  isEnded = false;

  constructor(
    readonly epoch: number,
    private readonly capacity: number,
  ) {}

  add(frame: LiveFrame): void {
    this.lastSeq = frame.seq;
    this.isEnded = frame.end !== undefined;
    if (this.ring.length < this.capacity) {
      this.ring.push(frame);
      return;
    }
    const dropped = this.ring[this.oldest]!;
    this.joinedText =
      (this.joinedText.length === dropped.offset ? this.joinedText : this.joinedText.slice(0, dropped.offset)) +
      dropped.delta;
    this.joinedSeq = dropped.seq;
    this.ring[this.oldest] = frame;
    this.oldest = (this.oldest + 1) % this.capacity;
  }

  /** What is kept after the position, oldest first. */
  after(position: LivePosition | null): LiveFrame[] {
    if (position && position.epoch > this.epoch) return [];
    const seq = position && position.epoch === this.epoch ? position.seq : 0;
    const frames =
      this.joinedSeq > seq ? [{ epoch: this.epoch, seq: this.joinedSeq, offset: 0, delta: this.joinedText }] : [];
    for (let index = 0; index < this.ring.length; index += 1) {
      const frame = this.ring[(this.oldest + index) % this.ring.length]!;
      if (frame.seq > seq) frames.push(frame);
    }
    return frames;
  }
}
