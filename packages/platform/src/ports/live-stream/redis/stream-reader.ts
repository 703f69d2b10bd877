import type { Redis } from 'ioredis';
import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import type { Logger } from '../../../base/logging/index.ts';
import type { LiveFrame, LivePosition } from '../live-stream.ts';
import { beginning, frameFor, idOf, isBefore, keyOf, newestEpochOf, type StreamEntry } from './stream-entries.ts';

type Follower = { position: LivePosition; readonly onFrame: (frame: LiveFrame) => void; isStopped: boolean };
/** `position`: everything up to this position was read for all of the stream's followers. */
type Followed = { position: LivePosition; readonly followers: Set<Follower> };

/** Limits a blocking read, which would otherwise wait for an entry of the control stream that Redis has lost. */
const blockMs = 2_000;
/**
 * Reading all streams costs the same for one frame as for many: under load, frames of this many milliseconds are read
 * together.
 */
const gatherMs = 4;
const retryMs = 50;
const failureMs = 1_000;
/** The control stream of a dead process expires after this time. */
const controlKeptMs = 3600_000;

/**
 * Reads all followed streams with one blocking command on its own connection. Among them is a stream of this reader
 * only, the control stream: writing to it ends the blocking read, so that a new follower is heard immediately. A new
 * follower of a stream that is already read moves the reading back to the follower's position; the other followers drop
 * frames that they have.
 */
export class StreamReader {
  private readonly streams = new Map<string, Followed>();
  private joining: [stream: string, follower: Follower][] = [];
  private readonly control = `parley:live-control:${randomUUID()}`;
  private calls = 0;
  private heardCalls = '0-0';
  private isCalling = false;
  private isReading = false;
  private isClosed = false;

  constructor(private readonly parts: { readonly blocking: Redis; readonly commands: Redis; readonly logger: Logger }) {
    parts.commands.on('ready', () => this.call());
  }

  follow(stream: string, after: LivePosition | null, onFrame: (frame: LiveFrame) => void): () => void {
    const follower: Follower = { position: after ?? beginning, onFrame, isStopped: false };
    this.joining.push([stream, follower]);
    if (this.isReading) this.call();
    else void this.readOn();
    return () => {
      follower.isStopped = true;
      const followers = this.streams.get(keyOf(stream))?.followers;
      followers?.delete(follower);
      if (followers?.size === 0) this.streams.delete(keyOf(stream));
    };
  }

  close(): void {
    this.isClosed = true;
    this.streams.clear();
    this.joining = [];
  }

  /** Ends the blocking read, once for all calls in one turn of the event loop. */
  private call(): void {
    if (this.isCalling || !this.isReading) return;
    this.isCalling = true;
    setImmediate(() => {
      this.isCalling = false;
      this.calls += 1;
      this.parts.commands
        .pipeline()
        .xadd(this.control, 'MAXLEN', 1, `${this.calls}-0`, 'c', '')
        .pexpire(this.control, controlKeptMs)
        .exec()
        .catch(() => undefined);
    });
  }

  private async readOn(): Promise<void> {
    this.isReading = true;
    while (!this.isClosed && this.admit()) {
      const begunAt = performance.now();
      await this.readOnce();
      const leftMs = gatherMs - (performance.now() - begunAt);
      if (leftMs > 0) await wait(leftMs);
    }
    this.isReading = false;
  }

  /** Adds new followers. Returns false if there is no follower. */
  private admit(): boolean {
    for (const [stream, follower] of this.joining) {
      if (follower.isStopped) continue;
      const followed = this.streams.get(keyOf(stream)) ?? { position: follower.position, followers: new Set() };
      if (isBefore(follower.position, followed.position)) followed.position = follower.position;
      followed.followers.add(follower);
      this.streams.set(keyOf(stream), followed);
    }
    this.joining = [];
    return this.streams.size > 0;
  }

  private async readOnce(): Promise<void> {
    const keys = [this.control, ...this.streams.keys()];
    const ids = [this.heardCalls, ...[...this.streams.values()].map(({ position }) => idOf(position))];
    try {
      const read = await this.parts.blocking.xread('BLOCK', blockMs, 'STREAMS', ...keys, ...ids);
      for (const [key, entries] of read ?? []) this.deliver(key, entries);
    } catch (error) {
      if (this.isClosed) return;
      const isAway = this.parts.blocking.status !== 'ready';
      if (!isAway) this.parts.logger.warn({ err: error }, 'reading live streams failed');
      await wait(isAway ? retryMs : failureMs);
    }
  }

  private deliver(key: string, entries: readonly StreamEntry[]): void {
    if (key === this.control) {
      this.heardCalls = entries.at(-1)?.[0] ?? this.heardCalls;
      return;
    }
    const followed = this.streams.get(key);
    if (!followed) return;
    for (const kept of newestEpochOf(entries)) {
      for (const follower of followed.followers) {
        const frame = frameFor(follower.position, kept);
        if (frame === null || follower.isStopped) continue;
        follower.position = frame;
        this.give(follower, frame);
      }
      followed.position = kept.frame;
    }
  }

  private give({ onFrame }: Follower, frame: LiveFrame): void {
    try {
      onFrame(frame);
    } catch (error) {
      this.parts.logger.error({ err: error }, 'a follower of a live stream failed');
    }
  }
}
