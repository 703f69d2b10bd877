import type { Redis } from 'ioredis';
import { createLogger } from '../../logging/index.ts';
import { closeRedis, openRedis, type RedisAddress } from '../../redis/redis-connection.ts';
import { LiveStream, type LiveFrame, type LivePosition } from '../live-stream.ts';
import { beginning, frameFor, idOf, keyOf, newestEpochOf } from './stream-entries.ts';
import { StreamReader } from './stream-reader.ts';
import { StreamWriter } from './stream-writer.ts';

/**
 * Streams that all processes see, in Redis Streams. While Redis is away, and when it has lost a stream, nothing fails:
 * the writing process has the text and writes it anew as one frame, and followers go on from there. `append` knows what
 * this process wrote; a frame that Redis refuses because another process is at a newer epoch is seen by nobody, and
 * later ones of it are refused here.
 */
export class RedisLiveStream extends LiveStream {
  private readonly writer: StreamWriter;
  private readonly reader: StreamReader;

  private constructor(
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
    return new RedisLiveStream({ commands, blocking }, new StreamReader({ commands, blocking, logger }));
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

  expire(stream: string, at: Date): void {
    this.writer.expire(stream, at);
  }

  /** What was appended is sent before. */
  async close(): Promise<void> {
    this.reader.close();
    this.writer.close();
    this.connections.blocking.disconnect();
    await closeRedis(this.connections.commands);
  }
}
