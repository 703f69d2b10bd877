import { afterAll, beforeAll, expect, test } from '@jest/globals';
import express, { type Response } from 'express';
import { once } from 'node:events';
import { createServer, get, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pipeline } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';
import { textStream } from './text-stream.ts';

const piece = 'x'.repeat(64_000);
let given = 0;
let hasReturned = Promise.withResolvers<void>();
async function* endless() {
  try {
    for (; ; given += 1) yield piece;
  } finally {
    hasReturned.resolve();
  }
}
let server: Server;
beforeAll(async () => {
  const app = express().get('/', (_request, response: Response) => {
    // As in Nest, closing the response closes the source.
    pipeline(textStream(endless(), 'text/plain', response).getStream(), response, () => undefined);
  });
  server = createServer(app).listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const open = async (): Promise<IncomingMessage> => {
  const [response] = (await once(get(`http://127.0.0.1:${(server.address() as AddressInfo).port}`), 'response')) as [
    IncomingMessage,
  ];
  return response;
};

test('a client that doesn’t read gets no more than the connection holds, and later continues where it was', async () => {
  given = 0;
  const response = await open();
  for (let before = -1; given !== before; await wait(100)) before = given;
  // Keeps how much was sent: the two ends of a connection hold some megabytes, far less than 1,000 pieces of 64 kB.
  const held = given;
  expect(held).toBeLessThan(1_000);
  let read = 0;
  for await (const chunk of response) if ((read += (chunk as Buffer).length) > (held + 10) * piece.length) break;
  expect(given).toBeGreaterThan(held);
});

test('tells the source of a text stream to return when the caller leaves', async () => {
  hasReturned = Promise.withResolvers();
  const response = await open();
  response.destroy();
  await hasReturned.promise;
});
