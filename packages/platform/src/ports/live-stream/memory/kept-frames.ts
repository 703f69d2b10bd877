import { joined, type LiveFrame, type LivePosition } from '../live-stream.ts';

/**
 * Keeps the frames of one epoch of a running answer: the newest in a ring buffer, older ones joined to one text. Late
 * followers get the whole text in few frames: the joined frame starts at offset 0 and replaces what its reader has.
 */
export class KeptFrames {
  private readonly ring: LiveFrame[] = [];
  private oldest = 0;
  private joinedText = '';
  private joinedThoughts = '';
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
    this.joinedText = joined(this.joinedText, dropped);
    if (dropped.thoughts) this.joinedThoughts = joined(this.joinedThoughts, dropped.thoughts);
    this.joinedSeq = dropped.seq;
    this.ring[this.oldest] = frame;
    this.oldest = (this.oldest + 1) % this.capacity;
  }

  /** Returns frames after the position, oldest first. */
  after(position: LivePosition | null): LiveFrame[] {
    if (position && position.epoch > this.epoch) return [];
    const seq = position && position.epoch === this.epoch ? position.seq : 0;
    const frames: LiveFrame[] = this.joinedSeq > seq ? [this.joined()] : [];
    for (let index = 0; index < this.ring.length; index += 1) {
      const frame = this.ring[(this.oldest + index) % this.ring.length]!;
      if (frame.seq > seq) frames.push(frame);
    }
    return frames;
  }

  private joined(): LiveFrame {
    const thoughts = this.joinedThoughts && { offset: 0, delta: this.joinedThoughts };
    return { epoch: this.epoch, seq: this.joinedSeq, offset: 0, delta: this.joinedText, ...(thoughts && { thoughts }) };
  }
}
