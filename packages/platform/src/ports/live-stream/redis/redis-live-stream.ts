import type { Redis } from 'ioredis';
import { createLogger } from '../../../base/logging/index.ts';
import { closeRedis, openRedis, type RedisAddress } from '../../redis/redis-connection.ts';
import { LiveStream, type LiveFrame, type LivePosition } from '../live-stream.ts';
import { beginning, begunChannel, frameFor, idOf, keyOf, newestEpochOf } from './stream-entries.ts';
import { StreamReader } from './stream-reader.ts';
import { StreamWriter } from './stream-writer.ts';

/**
 * Streams for all processes, in Redis Streams. No call fails while Redis is unavailable, or if it has lost a stream:
 * the writing process has the text and writes it again as one frame, from which followers continue. `append` knows only
 * what this process wrote. If another process has a newer epoch, Redis refuses the frame, so nobody sees it, and this
 * process refuses later frames.
 */
export class RedisLiveStream extends LiveStream {
  private readonly writer: StreamWriter;
  private readonly reader: StreamReader;
  private readonly beginners = new Set<(stream: string) => void>();
  /** The connection on which this process learns which streams begin. */
  private listening: Promise<Redis> | null = null;

  private constructor(
    private readonly address: RedisAddress,
    private readonly connections: { readonly commands: Redis; readonly blocking: Redis },
    reader: StreamReader,
  ) {
    super();
    this.writer = new StreamWriter(connections.commands);
    this.reader = reader;
  }

  static async connect(address: RedisAddress): Promise<RedisLiveStream> {
    const logger = address.logger ?? createLogger({ name: 'live-stream' });
    const [commands, blocking] = await Promise.all([
      openRedis({ ...address, logger }, 'live-stream', 'blocking'),
      openRedis({ ...address, logger }, 'live-stream-reader', 'blocking'),
    ]);
    return new RedisLiveStream(
      { ...address, logger },
      { commands, blocking },
      new StreamReader({ commands, blocking, logger }),
    );
  }

  append(stream: string, frame: LiveFrame): boolean {
    return this.writer.append(stream, frame);
  }

  async read(stream: string, after: LivePosition | null): Promise<LiveFrame[]> {
    this.writer.flush();
    let position = after ?? beginning;
    const entries = await this.connections.commands.xrange(keyOf(stream), `(${idOf(position)}`, '+').catch(() => []);
    const frames: LiveFrame[] = [];
    for (const kept of newestEpochOf(entries)) {
      const frame = frameFor(position, kept);
      if (frame === null) continue;
      frames.push(frame);
      position = frame;
    }
    return frames;
  }

  follow(stream: string, after: LivePosition | null, onFrame: (frame: LiveFrame) => void): () => void {
    return this.reader.follow(stream, after, onFrame);
  }

  onBegin(listener: (stream: string) => void): () => void {
    this.beginners.add(listener);
    this.listening ??= this.listen();
    return () => void this.beginners.delete(listener);
  }

  expire(stream: string, at: Date): void {
    this.writer.expire(stream, at);
  }

  /** Sends everything appended, then closes the connections. */
  async close(): Promise<void> {
    this.reader.close();
    this.writer.close();
    this.connections.blocking.disconnect();
    const listening = await this.listening;
    await Promise.all([closeRedis(this.connections.commands), listening && closeRedis(listening)]);
  }

  private async listen(): Promise<Redis> {
    const redis = await openRedis(this.address, 'live-stream-begun', 'subscribing');
    redis.on('message', (_channel: string, stream: string) => {
      for (const listener of this.beginners) listener(stream);
    });
    redis.subscribe(begunChannel).catch(() => undefined); // Subscribed anew with each connection.
    return redis;
  }
}
