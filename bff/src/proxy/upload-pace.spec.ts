import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { createServer, request, type ClientRequest, type Server } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { watchPace } from './upload-pace.ts';

let server: Server;
let isRead: boolean;
let received: number;
let isAnsweredEarly: boolean;
beforeEach(async () => {
  [isRead, received, isAnsweredEarly] = [true, 0, false];
  server = createServer((incoming, response) => {
    watchPace(incoming, response, { everyMs: 100, leastBytes: 100 });
    if (isAnsweredEarly) response.writeHead(429).end('refused');
    else if (isRead) incoming.on('data', (chunk: Buffer) => void (received += chunk.length));
    incoming.once('end', () => response.end('whole'));
    incoming.once('error', () => undefined);
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
});
afterEach(() => {
  server.closeAllConnections();
  server.close();
});

/** Sends a chunk every 20 ms; how the request ended. */
function send(chunk: string, times: number): Promise<string> {
  const { port } = server.address() as AddressInfo;
  return new Promise((resolve) => {
    const outgoing: ClientRequest = request({ port, method: 'POST', host: '127.0.0.1' }, (answer) => {
      answer.once('data', (data: Buffer) => resolve(data.toString()));
    });
    outgoing.once('error', () => resolve('cut'));
    let left = times;
    const timer = setInterval(() => {
      left -= 1;
      if (left >= 0) outgoing.write(chunk);
      else outgoing.end();
      if (left < 0 || outgoing.destroyed) clearInterval(timer);
    }, 20);
  });
}

test('a body that comes byte by byte is cut', async () => {
  expect(await send('x', 500)).toBe('cut');
});

test('a body that comes byte by byte is cut although the request was answered before', async () => {
  isAnsweredEarly = true;
  const { port } = server.address() as AddressInfo;
  const socket = connect(port, '127.0.0.1', () =>
    socket.write('POST / HTTP/1.1\r\nHost: here\r\nContent-Length: 1000000\r\n\r\n'),
  );
  const sending = setInterval(() => socket.write('x'), 20);
  socket.resume().on('error', () => undefined);
  await new Promise<void>((resolve) => void socket.once('close', () => resolve()));
  clearInterval(sending);
  expect(socket.destroyed).toBe(true);
});

test('a body that comes steadily is taken, however long it takes', async () => {
  expect(await send('x'.repeat(200), 30)).toBe('whole');
  expect(received).toBe(6_000);
});

test('a body that nobody here reads is not the fault of its client', async () => {
  isRead = false;
  const ended = send('x', 30);
  expect(await Promise.race([ended, new Promise((resolve) => setTimeout(() => resolve('open'), 500))])).toBe('open');
});
