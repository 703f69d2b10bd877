import type { Redis } from 'ioredis';
import { randomUUID } from 'node:crypto';
import { createLogger } from '../../../base/logging/index.ts';
import { closeRedis, openRedis, type RedisAddress } from '../../redis/redis-connection.ts';
import { Doorbell } from '../doorbell.ts';
import { MemoryDoorbell } from '../memory/memory-doorbell.ts';

const prefix = 'parley:bell:';

/**
 * Rings among all processes. Listeners of this process hear a ring without Redis; while Redis is away, those of the
 * others don't. Rings of one turn of the event loop come as one.
 */
export class RedisDoorbell extends Doorbell {
  private readonly origin = randomUUID();
  private readonly listeners = new Map<string, number>();
  private ringing = new Set<string>();
  private isClosed = false;

  private constructor(
    private readonly local: MemoryDoorbell,
    private readonly publisher: Redis,
    private readonly subscriber: Redis,
  ) {
    super();
    subscriber.on('message', (channel: string, origin: string) => {
      if (origin !== this.origin) this.local.ring(channel.slice(prefix.length));
    });
  }

  static async connect(address: RedisAddress): Promise<RedisDoorbell> {
    const logger = address.logger ?? createLogger({ name: 'doorbell' });
    const [publisher, subscriber] = await Promise.all([
      openRedis({ ...address, logger }, 'doorbell', 'quick'),
      openRedis({ ...address, logger }, 'doorbell-listener', 'subscribing'),
    ]);
    return new RedisDoorbell(new MemoryDoorbell({ logger }), publisher, subscriber);
  }

  ring(name: string): void {
    if (this.isClosed) return;
    this.local.ring(name);
    if (this.ringing.size === 0) setImmediate(() => this.publish());
    this.ringing.add(name);
  }

  on(name: string, listener: () => void): () => void {
    const count = this.listeners.get(name) ?? 0;
    this.listeners.set(name, count + 1);
    if (count === 0) this.subscriber.subscribe(prefix + name).catch(() => undefined); // Subscribed anew with each connection.
    const stopHere = this.local.on(name, listener);
    let isStopped = false;
    return () => {
      stopHere();
      if (!isStopped) this.leave(name);
      isStopped = true;
    };
  }

  async close(): Promise<void> {
    this.isClosed = true;
    await this.local.close();
    await Promise.all([closeRedis(this.publisher), closeRedis(this.subscriber)]);
  }

  private leave(name: string): void {
    const left = (this.listeners.get(name) ?? 1) - 1;
    if (left > 0) {
      this.listeners.set(name, left);
      return;
    }
    this.listeners.delete(name);
    if (!this.isClosed) this.subscriber.unsubscribe(prefix + name).catch(() => undefined);
  }

  private publish(): void {
    const pipeline = this.publisher.pipeline();
    for (const name of this.ringing) pipeline.publish(prefix + name, this.origin);
    this.ringing = new Set();
    pipeline.exec().catch(() => undefined); // A ring may get lost.
  }
}
