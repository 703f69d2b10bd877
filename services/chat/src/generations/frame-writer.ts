import type { LiveFrame, LiveStream } from '@parley/platform/live-stream';

const windowMs = 40;
const mostDeltas = 64;
const mostCharacters = 8_192;

/**
 * Turns tokens into frames of the live stream. A token that comes 40 ms or more after the last frame leaves at once, so
 * slow models keep a frame per token; what comes sooner waits for the rest of these 40 ms, for 64 tokens or for 8 KiB.
 */
export class FrameWriter {
  private seq = 0;
  private written = 0;
  private buffer = '';
  private deltas = 0;
  /** Runs for 40 ms from each frame with text. */
  private window: NodeJS.Timeout | null = null;
  private readonly liveStream: LiveStream;
  private readonly stream: string;
  private readonly epoch: number;

  constructor(liveStream: LiveStream, stream: string, epoch: number) {
    this.liveStream = liveStream;
    this.stream = stream;
    this.epoch = epoch;
  }

  /** An empty frame: a worker has begun. */
  begin(): void {
    this.append('');
  }

  push(text: string): void {
    this.buffer += text;
    this.deltas += 1;
    if (this.window === null || this.deltas >= mostDeltas || this.buffer.length >= mostCharacters) this.flush();
  }

  /** The last frame; followers fetch the durable message then. */
  end(status: NonNullable<LiveFrame['end']>): void {
    this.flush();
    this.endWindow();
    this.append('', status);
  }

  /** Forgets what is not written: the attempt has lost its lease. */
  discard(): void {
    this.endWindow();
    this.buffer = '';
  }

  private flush(): void {
    this.endWindow();
    if (this.buffer === '') return;
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
    const frame: LiveFrame = { epoch: this.epoch, seq: this.seq, offset: this.written, delta, ...(end && { end }) };
    this.written += delta.length;
    this.liveStream.append(this.stream, frame);
  }
}
