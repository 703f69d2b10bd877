import type { LiveFrame, LiveStream } from '@parley/platform/live-stream';

const windowMs = 40;
const mostDeltas = 64;
const mostCharacters = 8_192;

/**
 * Turns tokens into frames of the live stream. A token that comes 40 ms or more after the last frame is sent
 * immediately, so slow models keep a frame per token. A faster one waits until these 40 ms are over, or until 64 tokens
 * or 8 KiB are collected. Reasoning is sent in the same way, as a separate text.
 */
export class FrameWriter {
  private seq = 0;
  private written = 0;
  private thought = 0;
  private buffer = '';
  private thoughts = '';
  private deltas = 0;
  private isDiscarded = false;
  /** Runs for 40 ms after each frame with text. */
  private window: NodeJS.Timeout | null = null;
  private readonly liveStream: LiveStream;
  private readonly stream: string;
  private readonly epoch: number;

  constructor(liveStream: LiveStream, stream: string, epoch: number) {
    this.liveStream = liveStream;
    this.stream = stream;
    this.epoch = epoch;
  }

  /**
   * Sends an empty frame, which tells readers that a worker has begun. Does nothing if a frame was sent before, or
   * after the end.
   */
  begin(): void {
    if (this.seq === 0 && !this.isDiscarded) this.append('');
  }

  push(text: string): void {
    this.buffer += text;
    this.take();
  }

  /** Adds a piece of the model's reasoning. */
  think(text: string): void {
    if (text === '') return;
    this.thoughts += text;
    this.take();
  }

  /** Sends the last frame, after which followers fetch the stored message. */
  end(status: NonNullable<LiveFrame['end']>): void {
    this.flush();
    this.endWindow();
    this.append('', status);
  }

  /** Drops unsent text, because the attempt has lost its lease. */
  discard(): void {
    this.isDiscarded = true;
    this.endWindow();
    this.buffer = '';
    this.thoughts = '';
  }

  private take(): void {
    this.deltas += 1;
    const waiting = this.buffer.length + this.thoughts.length;
    if (this.window === null || this.deltas >= mostDeltas || waiting >= mostCharacters) this.flush();
  }

  private flush(): void {
    this.endWindow();
    if (this.buffer === '' && this.thoughts === '') return;
    const delta = this.buffer;
    this.buffer = '';
    this.deltas = 0;
    this.append(delta);
    this.window = setTimeout(() => this.flush(), windowMs);
  }

  private endWindow(): void {
    if (this.window !== null) clearTimeout(this.window);
    this.window = null;
  }

  private append(delta: string, end?: LiveFrame['end']): void {
    this.seq += 1;
    const thoughts = this.thoughts && { offset: this.thought, delta: this.thoughts };
    const frame: LiveFrame = {
      epoch: this.epoch,
      seq: this.seq,
      offset: this.written,
      delta,
      ...(thoughts && { thoughts }),
      ...(end && { end }),
    };
    this.written += delta.length;
    this.thought += this.thoughts.length;
    this.thoughts = '';
    this.liveStream.append(this.stream, frame);
  }
}
