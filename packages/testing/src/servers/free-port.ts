import { randomInt } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { createServer } from 'node:net';

/** Below those that Linux gives to outgoing connections: a server that is killed finds its port free again. */
const ports = { from: 15_000, to: 32_000 };

/**
 * A port of this machine that nobody listens on, and that no other call gets while this process lives, in this process
 * or another: servers that are started together choose their ports long before they listen.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(ports.from, ports.to);
    if ((await reserve(port)) && (await isUnused(port))) return port;
  }
}

/**
 * Holds the UDP port of the same number until this process ends: nobody here listens on UDP, and the kernel lets go of
 * it whatever happens.
 */
function reserve(port: number): Promise<boolean> {
  const socket = createSocket('udp4').unref();
  return new Promise((resolve) => {
    socket.once('error', () => {
      socket.close();
      resolve(false);
    });
    socket.bind({ port, address: '127.0.0.1', exclusive: true }, () => resolve(true));
  });
}

async function isUnused(port: number): Promise<boolean> {
  const server = createServer();
  const couldListen = await new Promise<boolean>((resolve) => {
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => resolve(true));
  });
  if (couldListen) await new Promise((resolve) => server.close(resolve));
  return couldListen;
}
