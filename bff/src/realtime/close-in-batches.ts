import { setTimeout as wait } from 'node:timers/promises';
import type { Server } from 'socket.io';

const batchSize = 50;
const pauseMs = 20;

/**
 * Closes all connections in random batches, so that clients reconnect one after the other. Closes only the transport:
 * socket.io clients don't reconnect after a disconnect packet.
 */
export async function closeInBatches(io: Pick<Server, 'of'>): Promise<void> {
  const sockets = [...io.of('/').sockets.values()].toSorted(() => Math.random() - 0.5);
  for (let at = 0; at < sockets.length; at += batchSize) {
    for (const socket of sockets.slice(at, at + batchSize)) socket.conn.close();
    await wait(pauseMs);
  }
}
