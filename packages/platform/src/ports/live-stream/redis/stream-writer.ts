import type { Redis } from 'ioredis';
import type { LiveFrame } from '../live-stream.ts';
import { OutgoingStream } from './outgoing-stream.ts';
import { keyOf } from './stream-entries.ts';

const sweepMs = 1_000;
/**
 * Sending costs nearly the same for one frame as for many: under load, frames of this many milliseconds are sent
 * together.
 */
const gatherMs = 4;

/**
 * Sends the frames of one turn of the event loop, or of a few milliseconds under load, in one pipeline, without
 * waiting. While Redis is unavailable, and if it has lost a stream, this process keeps the text and sends it as one
 * frame as soon as possible.
 */
export class StreamWriter {
  private readonly streams = new Map<string, OutgoingStream>();
  private readonly changed = new Set<OutgoingStream>();
  private flushedAt = 0;
  private isFlushDue = false;
  private readonly sweep = setInterval(() => this.dropAndRetry(), sweepMs).unref();

  constructor(private readonly redis: Redis) {
    redis.on('ready', () => this.rewriteAll());
  }

  append(stream: string, frame: LiveFrame): boolean {
    const known = this.current(stream);
    const outgoing = known && frame.epoch <= known.epoch ? known : new OutgoingStream(stream, frame.epoch);
    if (!outgoing.add(frame)) return false;
    this.streams.set(stream, outgoing);
    if (!outgoing.isWholeDue) this.note(outgoing); // Else the sweep or the connection's return takes it along.
    return true;
  }

  expire(stream: string, at: Date): void {
    const outgoing = this.current(stream);
    if (!outgoing) {
      this.redis.pexpireat(keyOf(stream), Math.max(1, at.getTime())).catch(() => undefined); // Its own long time ends it then.
      return;
    }
    outgoing.expire(at.getTime());
    this.note(outgoing);
  }

  /** Sends the waiting frames. */
  flush(): void {
    if (this.changed.size === 0) return;
    const changed = [...this.changed];
    this.changed.clear();
    this.flushedAt = performance.now();
    if (this.redis.status !== 'ready') {
      for (const outgoing of changed) outgoing.rewrite();
      return;
    }
    const sent = changed.flatMap((outgoing) => outgoing.take());
    const settleAll = (error: Error): void => sent.forEach(({ settle }) => void settle(error, null));
    this.redis
      .pipeline(sent.map(({ command }) => command))
      .exec()
      .then((results) => {
        if (!results) return settleAll(new Error('Redis gave no answer.'));
        for (const [at, [error, reply]] of results.entries())
          if (sent[at]!.settle(error, reply)) this.note(sent[at]!.from);
      })
      .catch(settleAll);
  }

  close(): void {
    this.flush();
    clearInterval(this.sweep);
  }

  private note(outgoing: OutgoingStream): void {
    this.changed.add(outgoing);
    if (this.isFlushDue) return;
    this.isFlushDue = true;
    const flush = (): void => {
      this.isFlushDue = false;
      this.flush();
    };
    if (performance.now() - this.flushedAt < gatherMs) setTimeout(flush, gatherMs);
    else setImmediate(flush);
  }

  private current(stream: string): OutgoingStream | undefined {
    const outgoing = this.streams.get(stream);
    if (!outgoing || outgoing.expiresAt > Date.now()) return outgoing;
    this.streams.delete(stream);
    return undefined;
  }

  private rewriteAll(): void {
    for (const stream of this.streams.keys()) this.current(stream)?.rewrite();
    this.dropAndRetry();
  }

  private dropAndRetry(): void {
    for (const stream of this.streams.keys()) {
      const outgoing = this.current(stream);
      if (outgoing?.isWholeDue && this.redis.status === 'ready') this.note(outgoing);
    }
  }
}
