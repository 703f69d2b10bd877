import type { LiveFrame, LiveStream } from '@parley/platform/live-stream';

const longestWindowMs = 40;
const mostDeltas = 64;
const mostCharacters = 8_192;

/**
 * Turns tokens into frames of the live stream: the first at once, then coalesced by a window that adapts to the provider's pace, at
 * most 40 ms, 64 tokens or 8 KiB. Slow models keep a frame per token, fast ones cost a fraction.
 */
export class FrameWriter {
  private seq = 0;
  private written = 0;
  private buffer = '';
  private deltas = 0;
  private gapMs = 0;
  private lastPushAt: number | null = null;
  private timer: NodeJS.Timeout | null = null;
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
    const now = performance.now();
    const isFirst = this.lastPushAt === null;
    if (this.lastPushAt !== null) this.gapMs = this.gapMs === 0 ? now - this.lastPushAt : this.gapMs * 0.8 + (now - this.lastPushAt) * 0.2;
    this.lastPushAt = now;
    this.buffer += text;
    this.deltas += 1;
    if (isFirst || this.deltas >= mostDeltas || this.buffer.length >= mostCharacters) return this.flush();
    if (this.gapMs >= longestWindowMs) return this.flush();
    this.timer ??= setTimeout(() => this.flush(), Math.min(longestWindowMs, 2 * this.gapMs));
  }

  flush(): void {
    if (this.timer !== null) clearTimeout(this.timer);
    this.timer = null;
    if (this.buffer === '') return;
    const delta = this.buffer;
    this.buffer = '';
    this.deltas = 0;
    this.append(delta);
  }

  /** The last frame; followers fetch the durable message then. */
  end(status: NonNullable<LiveFrame['end']>): void {
    this.flush();
    this.append('', status);
  }

  /** Forgets what is not written: the attempt has lost its lease. */
  discard(): void {
    if (this.timer !== null) clearTimeout(this.timer);
    this.timer = null;
    this.buffer = '';
  }

  private append(delta: string, end?: LiveFrame['end']): void {
    this.seq += 1;
    const frame: LiveFrame = { epoch: this.epoch, seq: this.seq, offset: this.written, delta, ...(end && { end }) };
    this.written += delta.length;
    this.liveStream.append(this.stream, frame);
  }
}
