import { createLogger, type Logger } from '../../../base/logging/index.ts';
import { LiveStream, type LiveFrame, type LivePosition } from '../live-stream.ts';
import { KeptFrames } from './kept-frames.ts';

/** `after`: the follower gets only frames after this position. */
type Follower = {
  onFrame: (frame: LiveFrame) => void;
  after: LivePosition | null;
  state: 'waiting' | 'live' | 'stopped';
};
type Stream = { kept: KeptFrames; followers: readonly Follower[]; expiresAt: number };

export type MemoryLiveStreamOptions = {
  readonly logger?: Logger;
  /** Limits the frames of a stream that are kept one by one; older frames are joined. */
  readonly capacity?: number;
};

const sweepMs = 10_000;

/** Streams of this process only. Followers are called within `append`; a follower that throws is logged and stays. */
export class MemoryLiveStream extends LiveStream {
  private readonly streams = new Map<string, Stream>();
  private readonly capacity: number;
  private readonly logger: Logger;
  private readonly beginners = new Set<(stream: string) => void>();
  private sweep: NodeJS.Timeout | null = null;

  constructor(options: MemoryLiveStreamOptions = {}) {
    super();
    this.logger = options.logger ?? createLogger({ name: 'live-stream' });
    this.capacity = options.capacity ?? 512;
  }

  append(stream: string, frame: LiveFrame): boolean {
    const state = this.stateOf(stream);
    if (frame.epoch !== state.kept.epoch) {
      if (frame.epoch < state.kept.epoch) return false;
      state.kept = new KeptFrames(frame.epoch, this.capacity);
    } else if (frame.seq <= state.kept.lastSeq || state.kept.isEnded) return false;
    state.kept.add(frame);
    if (frame.seq === 1) for (const listener of this.beginners) listener(stream);
    const { followers } = state;
    for (let index = 0; index < followers.length; index += 1)
      if (followers[index]!.state === 'live') this.call(followers[index]!, frame);
    return true;
  }

  async read(stream: string, after: LivePosition | null): Promise<LiveFrame[]> {
    return this.current(stream)?.kept.after(after) ?? [];
  }

  follow(stream: string, after: LivePosition | null, onFrame: (frame: LiveFrame) => void): () => void {
    const follower: Follower = { onFrame, after, state: 'waiting' };
    const state = this.stateOf(stream);
    state.followers = [...state.followers, follower];
    queueMicrotask(() => this.catchUp(stream, follower));
    return () => {
      follower.state = 'stopped';
      const current = this.streams.get(stream);
      if (!current) return;
      current.followers = current.followers.filter((other) => other !== follower);
      if (current.followers.length === 0 && current.kept.lastSeq === 0) this.streams.delete(stream);
    };
  }

  /** Frames appended before the follower is live are among the kept ones, so none is missed. */
  private catchUp(stream: string, follower: Follower): void {
    for (let frames = this.keptAfter(stream, follower); frames.length > 0; frames = this.keptAfter(stream, follower)) {
      for (const frame of frames) {
        if (follower.state === 'stopped') return;
        this.call(follower, frame);
        follower.after = { epoch: frame.epoch, seq: frame.seq };
      }
    }
    if (follower.state === 'waiting') follower.state = 'live';
  }

  private keptAfter(stream: string, follower: Follower): LiveFrame[] {
    return this.current(stream)?.kept.after(follower.after) ?? [];
  }

  onBegin(listener: (stream: string) => void): () => void {
    this.beginners.add(listener);
    return () => void this.beginners.delete(listener);
  }

  expire(stream: string, at: Date): void {
    const state = this.current(stream);
    if (!state) return;
    state.expiresAt = performance.now() + at.getTime() - Date.now();
    this.sweep ??= setInterval(() => this.dropExpired(), sweepMs).unref();
  }

  async close(): Promise<void> {
    if (this.sweep) clearInterval(this.sweep);
    this.sweep = null;
    this.streams.clear();
  }

  private call({ onFrame, after }: Follower, frame: LiveFrame): void {
    if (after !== null && (frame.epoch < after.epoch || (frame.epoch === after.epoch && frame.seq <= after.seq)))
      return;
    try {
      onFrame(frame);
    } catch (error) {
      this.logger.error({ err: error }, 'a follower of a live stream failed');
    }
  }

  /** Returns the stream unless it has expired; followers stay after that. */
  private current(stream: string): Stream | undefined {
    const state = this.streams.get(stream);
    if (!state || state.expiresAt > performance.now()) return state;
    return this.drop(stream, state);
  }

  private stateOf(stream: string): Stream {
    const known = this.current(stream);
    if (known) return known;
    const state: Stream = { kept: new KeptFrames(0, this.capacity), followers: [], expiresAt: Infinity };
    this.streams.set(stream, state);
    return state;
  }

  private drop(stream: string, state: Stream): Stream | undefined {
    if (state.followers.length === 0) {
      this.streams.delete(stream);
      return undefined;
    }
    state.kept = new KeptFrames(0, this.capacity);
    state.expiresAt = Infinity;
    return state;
  }

  private dropExpired(): void {
    const now = performance.now();
    let isWaiting = false;
    for (const [stream, state] of this.streams) {
      if (state.expiresAt <= now) this.drop(stream, state);
      else if (state.expiresAt !== Infinity) isWaiting = true;
    }
    if (isWaiting || !this.sweep) return;
    clearInterval(this.sweep);
    this.sweep = null;
  }
}
