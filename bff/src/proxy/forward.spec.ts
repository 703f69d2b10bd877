import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Platform } from '@parley/platform/service';
import { silentLogger } from '@parley/testing';
import express from 'express';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { BffSettings } from '../bff-settings.ts';
import { createUpstreams } from './forward.ts';

const listen = (server: Server): Promise<string> =>
  new Promise(
    (resolve) =>
      void server.listen(0, '127.0.0.1', () => resolve(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)),
  );
/** Takes the request and is gone, as a process that is killed. */
const dying = createServer(
  (request) =>
    void request
      .once('data', () => request.socket.resetAndDestroy())
      .once('end', () => request.socket.resetAndDestroy()),
);
let door: Server;
let url: string;

beforeAll(async () => {
  const target = await listen(dying);
  const upstreams = await createUpstreams(
    { isInsecureHttp: false } as BffSettings,
    { logger: silentLogger(), peers: { addressOf: async () => target } } as unknown as Platform,
  );
  const app = express().use((request, response, next) => {
    response.locals['admitted'] = { route: {}, token: 'token' };
    upstreams.chat.handle(request, response, next);
  });
  door = createServer(app);
  url = await listen(door);
});
afterAll(() => {
  for (const server of [door, dying]) {
    server.closeAllConnections();
    server.close();
  }
});

test.each([
  ['GET', undefined],
  ['POST', '{"text":"hello"}'],
])('%s: a service that dies in mid-request is unavailable, which pages repeat by themselves', async (method, body) => {
  const response = await fetch(`${url}/api/chat/conversations`, {
    method,
    ...(body !== undefined && { body, headers: { 'content-type': 'application/json' } }),
  });
  expect([response.status, ((await response.json()) as { code: string }).code]).toEqual([
    503,
    'bff.upstream-unavailable',
  ]);
});
