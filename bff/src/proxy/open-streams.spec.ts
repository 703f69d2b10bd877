import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Platform } from '@parley/platform/service';
import { patience, type RouteContract } from '@parley/protocol';
import { silentLogger } from '@parley/testing';
import express from 'express';
import { createServer, get, type ClientRequest, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { BffSettings } from '../bff-settings.ts';
import type { Admitted } from './api-gate.ts';
import type { Denials } from './denials.ts';
import { createUpstreams } from './forward.ts';

const listen = async (server: Server): Promise<string> => {
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
};
const service = createServer((request, response) => {
  response.setHeader('content-type', 'application/json');
  if (request.url === '/v1/events') response.write('1');
  else response.end('1');
});
const open: ClientRequest[] = [];
let door: Server;
let url: string;

beforeAll(async () => {
  const target = await listen(service);
  const platform = { logger: silentLogger(), peers: { addressOf: async () => target } } as unknown as Platform;
  const upstreams = await createUpstreams({} as BffSettings, platform, {} as Denials);
  const app = express().use((request, response, next) => {
    const route = { patienceMs: patience.long } as RouteContract;
    response.locals['admitted'] = { route, token: null } satisfies Partial<Admitted>;
    upstreams.monitoring.handle(request, response, next);
  });
  door = createServer(app);
  url = await listen(door);
});
afterAll(() => {
  for (const request of open) request.destroy();
  for (const server of [door, service]) {
    server.closeAllConnections();
    server.close();
  }
});

test('streams that stay open, however many, hold up no other request to their service', async () => {
  const streams = Array.from({ length: 600 }, () => {
    const request = get(`${url}/v1/events`);
    open.push(request.on('error', () => undefined));
    return new Promise((resolve) => void request.once('response', resolve));
  });
  await Promise.all(streams);
  const answer = await fetch(`${url}/v1/asyncapi.json`);
  expect([answer.status, await answer.text()]).toEqual([200, '1']);
});
