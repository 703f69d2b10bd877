import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';

type Seen = { readonly moved: number; readonly slowLooks: number };

const everyMs = 10_000;
/** A client has to move this many bytes between two checks: a kilobyte a second. */
const leastBytes = 10_000;
/** A client that reads takes the next piece, 64 kB at most, within half a minute. */
const mostSlowLooks = 3;

/**
 * Closes connections that move less than a kilobyte a second for half a minute while it is the client's turn: it has
 * output to read (answers, streams, web sockets), or the rest of a request body to send. Until then, a connection costs
 * its buffers, and backpressure pauses its source.
 */
export class SlowClients {
  private readonly seen = new Map<Socket, Seen>();
  /** The latest request of a connection. One that was answered early, as refusals are, goes on holding it with its body. */
  private readonly requests = new WeakMap<Socket, IncomingMessage>();
  private readonly timer = setInterval(() => this.look(), everyMs).unref();

  constructor(server: Server) {
    // With TLS the inner connection knows what waits; the outer one has nothing waiting.
    for (const event of ['connection', 'secureConnection'])
      server.on(event, (socket: Socket) => {
        this.seen.set(socket, { moved: Number.NEGATIVE_INFINITY, slowLooks: 0 });
        socket.once('close', () => this.seen.delete(socket));
      });
    server.on('request', (request: IncomingMessage) => void this.requests.set(request.socket, request));
  }

  look(): void {
    for (const [socket, last] of this.seen) {
      const moved = socket.bytesRead + socket.bytesWritten - socket.writableLength;
      const isSlow = this.isAwaited(socket) && moved - last.moved < leastBytes;
      const slowLooks = isSlow ? last.slowLooks + 1 : 0;
      if (slowLooks >= mostSlowLooks) socket.destroy();
      else this.seen.set(socket, { moved, slowLooks });
    }
  }

  close(): void {
    clearInterval(this.timer);
  }

  /** Returns whether it is the client's turn. It isn't while bytes of a body wait to be read here. */
  private isAwaited(socket: Socket): boolean {
    const request = this.requests.get(socket);
    const isBodyDue = request !== undefined && !request.complete && request.readableLength === 0;
    return socket.writableLength > 0 || isBodyDue;
  }
}
