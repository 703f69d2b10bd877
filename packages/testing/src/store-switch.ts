import { connect, createServer, type Socket } from 'node:net';

export type StoreSwitch = {
  readonly uri: string;
  /** Ends every connection and refuses new ones. */
  off(): void;
  /**
   * Connections stay and new ones open, and nothing comes through: a machine that stands still, a network that
   * swallows.
   */
  hang(): void;
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
  const pipes = new Map<Socket, Socket>();
  let isHanging = false;
  const server = createServer((near) => {
    const far = target.startsWith('/')
      ? connect(target)
      : connect(Number(target.split(':')[1] ?? 27017), target.split(':')[0]);
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      pipes.set(from, to);
      from
        .on('error', () => to.destroy())
        .on('close', () => {
          pipes.delete(from);
          to.destroy();
        });
      if (!isHanging) from.pipe(to);
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
    async on() {
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
