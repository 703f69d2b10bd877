import { createRequire } from 'node:module';
import type { Socket } from 'node:net';

type DriverConnection = { readonly socket: Socket; cleanup(error: Error): void };

/** The driver that mongoose loads, which doesn't export this class. */
const requireAsMongoose = createRequire(createRequire(import.meta.url).resolve('mongoose'));
const { Connection } = requireAsMongoose('mongodb/lib/cmap/connection.js') as {
  Connection: { prototype: DriverConnection };
};
const { cleanup } = Connection.prototype;

/**
 * Fixes the MongoDB driver (7.9 and before): a command written between the end of its socket and the event `close`
 * waits for `drain`, which a destroyed socket never sends. The caller waits for ever; if the command was the heartbeat,
 * the process never finds its store again. Once woken, the driver sees the error that `cleanup` left, and throws it.
 */
Connection.prototype.cleanup = function (error) {
  cleanup.call(this, error);
  this.socket.emit('drain');
};
