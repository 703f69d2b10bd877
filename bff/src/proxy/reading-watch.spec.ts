import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { eventually } from '@parley/testing';
import { createServer, type Server } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { Readable } from 'node:stream';
import { ReadingWatch } from './reading-watch.ts';

/** More than the system buffers for a connection. */
const pieces = Array.from({ length: 1_000 }, () => Buffer.alloc(64_000, 'x'));
let server: Server;
let watch: ReadingWatch;
const serverSide: Socket[] = [];
const clients: Socket[] = [];

beforeEach(async () => {
  server = createServer((_request, response) => void Readable.from(pieces).pipe(response));
  watch = new ReadingWatch(server);
  server.on('connection', (socket: Socket) => void serverSide.push(socket));
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
});
afterEach(() => {
  for (const client of clients.splice(0)) client.destroy();
  serverSide.length = 0;
  watch.close();
  server.closeAllConnections();
  server.close();
});

/** A client that has asked, and its connection as the server sees it. */
async function asks(): Promise<{ client: Socket; connection: Socket }> {
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1').pause();
  clients.push(client);
  client.write('GET / HTTP/1.1\r\nhost: x\r\n\r\n');
  await eventually(() => (serverSide[0]?.writableLength ?? 0) > 0, 'something waits for the client');
  return { client, connection: serverSide[0]! };
}
const takenBy = (connection: Socket): number => connection.bytesWritten - connection.writableLength;
/** Until the system takes no more. */
async function untilFull(connection: Socket): Promise<void> {
  let before = -1;
  await eventually(() => {
    const isFull = takenBy(connection) === before;
    before = takenBy(connection);
    return isFull;
  }, 'the system takes no more');
}

test('a client that takes nothing for three looks is cut', async () => {
  const { connection } = await asks();
  await untilFull(connection);
  for (let look = 0; look < 3; look += 1) watch.look();
  expect(connection.destroyed).toBe(false);
  watch.look();
  expect(connection.destroyed).toBe(true);
});

test('a client that reads a little between looks is not', async () => {
  const { client, connection } = await asks();
  await untilFull(connection);
  for (let look = 0; look < 6; look += 1) {
    const before = takenBy(connection);
    client.resume();
    await eventually(() => takenBy(connection) > before, 'the client takes some');
    client.pause();
    watch.look();
  }
  expect(connection.destroyed).toBe(false);
});

test('a connection for which nothing waits may be quiet for as long as it wants', async () => {
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1');
  clients.push(client);
  await eventually(() => serverSide.length === 1, 'it is connected');
  for (let look = 0; look < 10; look += 1) watch.look();
  expect(serverSide[0]!.destroyed).toBe(false);
});
