import { joined, type LiveFrame } from '../live-stream.ts';
import { begunChannel, fieldsOf, idOf, keyOf } from './stream-entries.ts';

/** The least number of frames that Redis keeps one by one; it trims whole blocks, so it can keep up to 100 more. */
const keptFrames = 512;
/** One in this many frames also has the whole text before it, so the kept frames always include such a frame. */
const framesPerText = 256;
/** Limits the life of streams that nobody expires, because their process died. */
const keptAtMostMs = 24 * 3600_000;

/**
 * A command, and the function for its response, which returns true if the stream has to be written again immediately.
 */
export type Sent = {
  readonly from: OutgoingStream;
  readonly command: (string | number)[];
  readonly settle: (error: Error | null, reply: unknown) => boolean;
};

/**
 * Holds what this process has written of one epoch of a stream, with the whole text: enough to write the stream again
 * if Redis has lost it.
 */
export class OutgoingStream {
  readonly epoch: number;
  expiresAt = Date.now() + keptAtMostMs;
  /** True if Redis lacks frames: the next write is one frame with the whole text. */
  isWholeDue = false;
  private readonly stream: string;
  private readonly key: string;
  private text = '';
  private thoughts = '';
  private last: LiveFrame | null = null;
  private unsent: LiveFrame[] = [];
  private isBegun = false;
  private isOutrun = false;
  private isExpiring = false;
  private isExpiryDue = true;
  /** Newest frames: `wholeSeq` was sent as the whole text, `textSeq` with the whole text, alone or beside its delta. */
  private wholeSeq = 0;
  private textSeq = 0;

  constructor(stream: string, epoch: number) {
    this.stream = stream;
    this.key = keyOf(stream);
    this.epoch = epoch;
  }

  /**
   * Adds a frame to send. Returns false for a frame of another epoch, a repeated one, one after the end, and once Redis
   * is known to have a newer epoch.
   */
  add(frame: LiveFrame): boolean {
    if (this.isOutrun || frame.epoch !== this.epoch || this.last?.end || frame.seq <= (this.last?.seq ?? 0))
      return false;
    this.text = joined(this.text, frame);
    if (frame.thoughts) this.thoughts = joined(this.thoughts, frame.thoughts);
    this.last = frame;
    if (!this.isWholeDue) this.unsent.push(frame);
    if (this.isExpiring) this.keepUntil(Date.now() + keptAtMostMs); // Somebody ended an earlier epoch of it.
    this.isExpiring = false;
    return true;
  }

  expire(at: number): void {
    this.keepUntil(at);
    this.isExpiring = true;
  }

  /** Replaces all frames that may not be in Redis by one frame. */
  rewrite(): void {
    this.isWholeDue = true;
    this.isExpiryDue = true;
    this.unsent = [];
  }

  /** Returns the commands that have to be sent now. */
  take(): Sent[] {
    const isBeginning = !this.isBegun;
    const sent =
      this.isWholeDue && this.last ? [this.takeWhole(this.last)] : this.unsent.map((frame) => this.takeFrame(frame));
    this.unsent = [];
    if (isBeginning && this.isBegun)
      sent.push({ from: this, command: ['publish', begunChannel, this.stream], settle: () => false });
    if (this.isExpiryDue)
      sent.push({ from: this, command: ['pexpireat', this.key, Math.max(1, this.expiresAt)], settle: () => false });
    this.isExpiryDue = false;
    return sent;
  }

  private keepUntil(at: number): void {
    this.expiresAt = at;
    this.isExpiryDue = true;
  }

  private takeWhole({ seq, end }: LiveFrame): Sent {
    this.isWholeDue = false;
    this.isBegun = true;
    this.wholeSeq = seq;
    this.textSeq = seq;
    const thoughts = this.thoughts && { offset: 0, delta: this.thoughts };
    const whole = { epoch: this.epoch, seq, offset: 0, delta: this.text };
    const frame: LiveFrame = { ...whole, ...(thoughts && { thoughts }), ...(end && { end }) };
    return this.sent(frame, ['xadd', this.key, 'MAXLEN', '~', keptFrames, idOf(frame), ...fieldsOf(frame, null)]);
  }

  /**
   * Returns the command for a frame. Only the first frame can create the stream: if a later frame finds none, Redis has
   * lost it. The first word also carries the reasoning before it, or a reader could take a part of the reasoning for
   * all of it.
   */
  private takeFrame(frame: LiveFrame): Sent {
    const isFirstWord = frame.offset === 0 && frame.delta !== '' && this.thoughts !== '';
    const isTextDue = isFirstWord || frame.seq - this.textSeq >= framesPerText;
    if (isTextDue) this.textSeq = frame.seq;
    const making = this.isBegun ? ['NOMKSTREAM'] : [];
    this.isBegun = true;
    const before = isTextDue
      ? { text: this.text.slice(0, frame.offset), thoughts: this.thoughts.slice(0, frame.thoughts?.offset) }
      : null;
    return this.sent(frame, [
      'xadd',
      this.key,
      ...making,
      'MAXLEN',
      '~',
      keptFrames,
      idOf(frame),
      ...fieldsOf(frame, before),
    ]);
  }

  private sent({ seq }: LiveFrame, command: (string | number)[]): Sent {
    return { from: this, command, settle: (error, reply) => this.settle(seq, error, reply) };
  }

  /** Handles the response to a frame. Ignores responses to frames that a later complete frame has replaced. */
  private settle(seq: number, error: Error | null, reply: unknown): boolean {
    if (seq < this.wholeSeq || (error === null && reply !== null)) return false;
    if (error?.message.includes('equal or smaller')) {
      if (seq > this.wholeSeq) this.isOutrun = true;
      return false;
    }
    this.rewrite();
    return error === null;
  }
}
