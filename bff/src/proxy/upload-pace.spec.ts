import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { EventEmitter } from 'node:events';
import { createServer, request, type ClientRequest, type Server } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { watchPace } from './upload-pace.ts';

let server: Server;
let isAnsweredEarly: boolean;
beforeEach(async () => {
  isAnsweredEarly = false;
  server = createServer((incoming, response) => {
    watchPace(incoming, response, { everyMs: 100, leastBytes: 100 });
    if (isAnsweredEarly) response.writeHead(429).end('refused');
    else incoming.resume();
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

describe('the pace of a body, with fake timers', () => {
  beforeEach(() => void jest.useFakeTimers());
  afterEach(() => void jest.useRealTimers());

  /** A request whose bytes have come and wait to be read. */
  function aRequest() {
    const socket = { bytesRead: 0, destroyed: false, destroy: (): void => void (socket.destroyed = true) };
    const incoming = { complete: false, readableLength: 0, socket };
    watchPace(incoming as never, new EventEmitter() as never, { everyMs: 100, leastBytes: 100 });
    return incoming;
  }

  test('a body that comes steadily is left alone, however long it takes, until it stops', () => {
    const incoming = aRequest();
    for (let came = 0; came < 100; came += 1) {
      incoming.socket.bytesRead += 100;
      jest.advanceTimersByTime(100);
    }
    expect(incoming.socket.destroyed).toBe(false);
    jest.advanceTimersByTime(100);
    expect(incoming.socket.destroyed).toBe(true);
  });

  test('a body that nobody here reads is not the fault of its client', () => {
    const incoming = aRequest();
    incoming.readableLength = 1;
    jest.advanceTimersByTime(10_000);
    expect(incoming.socket.destroyed).toBe(false);
    incoming.readableLength = 0;
    jest.advanceTimersByTime(100);
    expect(incoming.socket.destroyed).toBe(true);
  });
});
