import type { Redis } from 'ioredis';
import { randomUUID } from 'node:crypto';
import { createLogger } from '../../../base/logging/index.ts';
import { closeRedis, openRedis, type RedisAddress } from '../../redis/redis-connection.ts';
import { Doorbell } from '../doorbell.ts';
import { MemoryDoorbell } from '../memory/memory-doorbell.ts';
import { RingReader } from './ring-reader.ts';

const prefix = 'parley:bell:';
/** Limits the rings of a name that are kept for a reader that was away for a moment. */
const ringsKept = 100;
/** The stream of a name without rings expires after this time. */
const nameKeptMs = 3_600_000;
/** A ring that Redis didn't take is sent again after this time. */
const againMs = 500;

/**
 * Rings among all processes, by a short stream for each name: one blocking read with a cursor hears all names, and a
 * broken connection continues where it was. Listeners of this process hear a ring without Redis. Rings of one turn of
 * the event loop come as one.
 */
export class RedisDoorbell extends Doorbell {
  private readonly origin = randomUUID();
  private ringing = new Set<string>();
  private isClosed = false;

  private constructor(
    private readonly local: MemoryDoorbell,
    private readonly commands: Redis,
    private readonly reader: RingReader,
  ) {
    super();
  }

  static async connect(address: RedisAddress): Promise<RedisDoorbell> {
    const logger = address.logger ?? createLogger({ name: 'doorbell' });
    const [commands, blocking] = await Promise.all([
      openRedis({ ...address, logger }, 'doorbell', 'quick'),
      openRedis({ ...address, logger }, 'doorbell-reader', 'blocking'),
    ]);
    const local = new MemoryDoorbell({ logger });
    const reader = new RingReader({ commands, blocking, logger, prefix });
    const bell = new RedisDoorbell(local, commands, reader);
    reader.onRing = (name, origins) => {
      if (origins.some((origin) => origin !== bell.origin)) local.ring(name);
    };
    return bell;
  }

  ring(name: string): void {
    if (this.isClosed) return;
    this.local.ring(name);
    if (this.ringing.size === 0) setImmediate(() => void this.send());
    this.ringing.add(name);
  }

  on(name: string, listener: () => void): () => void {
    const stopReading = this.reader.listen(name);
    const stopHere = this.local.on(name, listener);
    return () => {
      stopHere();
      stopReading();
    };
  }

  async close(): Promise<void> {
    this.isClosed = true;
    await Promise.all([this.local.close(), this.reader.close()]);
    await closeRedis(this.commands);
  }

  private async send(): Promise<void> {
    const names = this.ringing;
    this.ringing = new Set();
    const pipeline = this.commands.pipeline();
    for (const name of names)
      pipeline.xadd(prefix + name, 'MAXLEN', '~', ringsKept, '*', 'o', this.origin).pexpire(prefix + name, nameKeptMs);
    const sent = await pipeline.exec().catch(() => null);
    const isTaken = sent?.every(([error]) => error === null) ?? false;
    if (isTaken || this.isClosed) return;
    const isWaiting = this.ringing.size > 0;
    for (const name of names) this.ringing.add(name);
    if (!isWaiting) setTimeout(() => void this.send(), againMs).unref();
  }
}
