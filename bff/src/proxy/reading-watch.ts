import type { Server } from 'node:http';
import type { Socket } from 'node:net';

type Seen = { readonly taken: number; readonly looks: number };

const everyMs = 10_000;
/** A client that reads takes the next piece, 64 kB at most, within half a minute. */
const mostLooks = 3;

/**
 * Cuts connections whose client takes nothing of what waits for it for half a minute: answers, streams and web sockets.
 * Until then a connection costs what is buffered for it, and its source is paused.
 */
export class ReadingWatch {
  private readonly seen = new Map<Socket, Seen>();
  private readonly timer = setInterval(() => this.look(), everyMs).unref();

  constructor(server: Server) {
    // With TLS the inner connection knows what waits; the outer one has nothing waiting.
    for (const event of ['connection', 'secureConnection'])
      server.on(event, (socket: Socket) => {
        this.seen.set(socket, { taken: -1, looks: 0 });
        socket.once('close', () => this.seen.delete(socket));
      });
  }

  look(): void {
    for (const [socket, last] of this.seen) {
      const waiting = socket.writableLength;
      const taken = socket.bytesWritten - waiting;
      const looks = waiting > 0 && taken === last.taken ? last.looks + 1 : 0;
      if (looks >= mostLooks) socket.destroy();
      else this.seen.set(socket, { taken, looks });
    }
  }

  close(): void {
    clearInterval(this.timer);
  }
}
