import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { eventually } from '@parley/testing';
import { createServer, type RequestListener, type Server } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { Readable } from 'node:stream';
import { SlowClients } from './slow-clients.ts';

/** More than the system buffers for a connection. */
const pieces = Array.from({ length: 1_000 }, () => Buffer.alloc(64_000, 'x'));
let handle: RequestListener;
let server: Server;
let watch: SlowClients;
const serverSide: Socket[] = [];
const clients: Socket[] = [];

beforeEach(async () => {
  server = createServer((request, response) => handle(request, response));
  watch = new SlowClients(server);
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

/** A client that is connected, and its connection as the server sees it. */
async function connected(): Promise<{ client: Socket; connection: Socket }> {
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1').on('error', () => undefined);
  clients.push(client);
  await eventually(() => serverSide.length === 1, 'it is connected');
  return { client, connection: serverSide[0]! };
}
const look = (times: number): void => {
  for (let looked = 0; looked < times; looked += 1) watch.look();
};

describe('a client that reads', () => {
  /** Connects a client that sends a request and doesn't read the answer yet. */
  async function asks() {
    handle = (_request, response) => void Readable.from(pieces).pipe(response);
    const { client, connection } = await connected();
    client.pause();
    client.write('GET / HTTP/1.1\r\nhost: x\r\n\r\n');
    await eventually(() => connection.writableLength > 0, 'something waits for the client');
    return { client, connection };
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

  test('is cut where it takes nothing for three looks', async () => {
    const { connection } = await asks();
    await untilFull(connection);
    look(3);
    expect(connection.destroyed).toBe(false);
    look(1);
    expect(connection.destroyed).toBe(true);
  });

  test('is not where it takes a piece between looks', async () => {
    const { client, connection } = await asks();
    await untilFull(connection);
    for (let looked = 0; looked < 6; looked += 1) {
      const before = takenBy(connection);
      client.resume();
      await eventually(() => takenBy(connection) > before, 'the client takes some');
      client.pause();
      look(1);
    }
    expect(connection.destroyed).toBe(false);
  });

  test('may be quiet for as long as it wants where nothing waits for it', async () => {
    const { connection } = await connected();
    look(10);
    expect(connection.destroyed).toBe(false);
  });
});

describe('a client that sends', () => {
  /** One whose body has begun. */
  async function begins() {
    const { client, connection } = await connected();
    let sent = client.bytesWritten;
    const send = async (text: string): Promise<void> => {
      client.write(text);
      sent += text.length;
      await eventually(() => connection.bytesRead === sent, 'it has come');
    };
    const asked = new Promise((resolve) => void server.once('request', resolve));
    await send('POST / HTTP/1.1\r\nHost: here\r\nContent-Length: 10000000\r\n\r\n');
    await asked;
    return { send, connection };
  }

  test.each<[string, RequestListener]>([
    ['that is read', (request) => void request.resume()],
    ['that was answered before', (request, response) => (request.resume(), response.writeHead(429).end('refused'))],
  ])('is cut where a body %s comes byte by byte', async (_name, handler) => {
    handle = handler;
    const { send, connection } = await begins();
    for (let looked = 0; looked < 3; looked += 1) {
      look(1);
      await send('x');
    }
    expect(connection.destroyed).toBe(false);
    look(1);
    expect(connection.destroyed).toBe(true);
  });

  test('is left alone while its body comes steadily, until it stops', async () => {
    handle = (request) => void request.resume();
    const { send, connection } = await begins();
    for (let looked = 0; looked < 10; looked += 1) {
      await send('x'.repeat(10_000));
      look(1);
    }
    look(2);
    expect(connection.destroyed).toBe(false);
    look(1);
    expect(connection.destroyed).toBe(true);
  });

  test('is left alone while nobody here reads its body', async () => {
    handle = () => undefined;
    const { send, connection } = await begins();
    await send('x');
    look(10);
    expect(connection.destroyed).toBe(false);
  });
});
