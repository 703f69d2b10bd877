import { connect, createServer, type Socket } from 'node:net';
import { Transform } from 'node:stream';

export type StoreSwitch = {
  readonly uri: string;
  /** Ends every connection and refuses new ones. */
  off(): void;
  /**
   * Connections stay and new ones open, and nothing comes through: a machine that stands still, a network that
   * swallows.
   */
  hang(): void;
  /** All that the store answers comes so much later, in order: a store that is slow, not away. 0 ends it. */
  slow(byMs: number): void;
  /** There again, and as fast as it is. */
  on(): Promise<void>;
  close(): Promise<void>;
};

/**
 * A way to a store, the first that the address names, that can be cut or blocked: what a service sees when the store
 * goes away.
 */
export async function startStoreSwitch(uri: string): Promise<StoreSwitch> {
  const [, user = '', host = '', rest = ''] = /^mongodb:\/\/([^/?@]*@)?([^/?,]+)(?:,[^/?]*)?(.*)$/.exec(uri) ?? [];
  const target = decodeURIComponent(host);
  const pipes = new Map<Socket, Socket | Transform>();
  let isHanging = false;
  let slowMs = 0;
  const server = createServer((near) => {
    const far = target.startsWith('/')
      ? connect(target)
      : connect(Number(target.split(':')[1] ?? 27017), target.split(':')[0]);
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      const way = from === far ? answersLater(() => slowMs) : to;
      if (way !== to) way.pipe(to);
      pipes.set(from, way);
      from
        .on('error', () => to.destroy())
        .on('close', () => {
          pipes.delete(from);
          to.destroy();
        });
      if (!isHanging) from.pipe(way);
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  const cut = (): void => {
    for (const socket of pipes.keys()) socket.destroy();
  };
  const query = rest.includes('directConnection')
    ? rest
    : `${rest}${rest.includes('?') ? '&' : '?'}directConnection=true`;
  return {
    uri: `mongodb://${user}127.0.0.1:${port}${query}`,
    off() {
      if (server.listening) server.close();
      cut();
    },
    hang() {
      isHanging = true;
      for (const [from, to] of pipes) from.unpipe(to);
    },
    slow(byMs) {
      slowMs = byMs;
    },
    async on() {
      slowMs = 0;
      if (isHanging) for (const [from, to] of pipes) from.pipe(to);
      isHanging = false;
      if (!server.listening) await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
    },
    async close() {
      cut();
      if (server.listening) await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Lets each piece through so much later, never before an earlier one, and any number of them on their way. */
function answersLater(byMs: () => number): Transform {
  let lastDueAt = 0;
  let isOver = false;
  return new Transform({
    transform(piece: Buffer, _encoding, next) {
      const now = performance.now();
      lastDueAt = Math.max(lastDueAt, now + byMs());
      if (lastDueAt <= now) return next(null, piece);
      setTimeout(() => isOver || this.push(piece), lastDueAt - now);
      next();
    },
    destroy(error, done) {
      isOver = true;
      done(error);
    },
  });
}
