import { afterAll, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import {
  browserHeader,
  lateTokenHeader,
  networkHeader,
  patience,
  principalHeader,
  sessionHeader,
  type RouteContract,
} from '@parley/protocol';
import type { Platform } from '@parley/platform/service';
import { aPerson, silentLogger } from '@parley/testing';
import express from 'express';
import { createServer, request, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { BffSettings } from '../bff-settings.ts';
import type { Admitted } from './api-gate.ts';
import type { Denials } from './denials.ts';
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
const slowMs = 400;
/** Answers with what it got, and with the headers of the service that starts a session. */
const telling = createServer((request, response) => {
  if (request.url?.includes('/mesh/')) {
    response
      .writeHead(Number(request.url.slice(-3)), { 'content-type': 'text/html' })
      .end('<h1>no healthy upstream</h1>');
    return;
  }
  const status = Number(/\d{3}$/.exec(request.url ?? '')?.[0] ?? 0);
  response.statusCode = request.url?.endsWith('/refused') ? 401 : status || 200;
  response.setHeader(sessionHeader, 'session-id');
  response.setHeader('set-cookie', 'planted=1');
  if (request.url?.includes('/late-token/')) return answerLate(request, response);
  const answer = () => response.setHeader('content-type', 'application/json').end(JSON.stringify(request.headers));
  if (request.url?.endsWith('/slow')) setTimeout(answer, slowMs);
  else answer();
});
/** Finds the first token expired; `/always` finds each so. */
function answerLate(request: IncomingMessage, response: ServerResponse): void {
  const token = String(request.headers[principalHeader]);
  lateTokens.push(token);
  const isLate = token === 'our-token' || request.url?.endsWith('/always');
  response.setHeader('content-type', 'application/json');
  if (isLate) response.writeHead(503, { [lateTokenHeader]: 'expired' });
  let body = '';
  request
    .on('data', (chunk: Buffer) => (body += chunk.toString()))
    .once('end', () => response.end(JSON.stringify(isLate ? { code: 'platform.unavailable' } : { token, body })));
}
const lateTokens: string[] = [];
let door: Server;
let url: string;
let admitted: Partial<Admitted>;
const denied: unknown[][] = [];

beforeAll(async () => {
  const targets: Record<string, string> = { chat: await listen(dying), auth: await listen(telling) };
  const upstreams = await createUpstreams(
    { isInsecureHttp: false } as BffSettings,
    {
      logger: silentLogger(),
      peers: { addressOf: async (service: string) => targets[service] ?? targets['chat'] },
    } as unknown as Platform,
    { note: (...refused: unknown[]) => denied.push(refused) } as unknown as Denials,
  );
  const app = express().use((request, response, next) => {
    response.locals['admitted'] = admitted;
    upstreams[request.path.startsWith('/api/auth') ? 'auth' : 'chat'].handle(request, response, next);
  });
  door = createServer(app);
  url = await listen(door);
});
afterAll(() => {
  for (const server of [door, dying, telling]) {
    server.closeAllConnections();
    server.close();
  }
});

beforeEach(() => {
  admitted = { route: {} as RouteContract, token: 'our-token' };
});

test('a service hears who it is from our token only, and nothing else of the browser', async () => {
  const headers = {
    cookie: 'a=b',
    authorization: 'Bearer x',
    [principalHeader]: 'forged',
    'x-forwarded-for': '192.0.2.1',
    'parley-anything': 'x',
    accept: 'application/json',
  };
  const heard = (await (await fetch(`${url}/api/auth/me`, { headers })).json()) as Record<string, string>;
  expect(heard[principalHeader]).toBe('our-token');
  expect(Object.keys(heard).toSorted()).toEqual(['accept', 'connection', 'host', principalHeader].toSorted());
  admitted = { ...admitted, token: null };
  const open = (await (await fetch(`${url}/api/auth/me`, { headers })).json()) as Record<string, string>;
  expect(open[principalHeader]).toBeUndefined();
});

const ownHeaders = [principalHeader, networkHeader, browserHeader, sessionHeader];

/** Sends what `fetch` refuses to send: `Expect`. */
const heardBy = (headers: Record<string, string>): Promise<Record<string, string>> =>
  new Promise((resolve, reject) => {
    const sent = request(`${url}/api/auth/x`, { method: 'POST', headers }, async (answer) => {
      let body = '';
      for await (const chunk of answer) body += String(chunk);
      resolve(JSON.parse(body) as Record<string, string>);
    });
    sent.once('error', reject).end('{"text":"hello"}');
  });

describe.each([{}, { expect: '100-continue' }, { expect: '100-Continue' }])('a client that sends %j', (extra) => {
  const forged = Object.fromEntries(ownHeaders.map((header) => [header, 'forged']));
  const own: Record<string, string> = {
    ...forged,
    ...(extra as object),
    'user-agent': 'curl/8.5.0',
    'content-type': 'application/json',
  };

  test.each([
    ['a public route', { scope: 'public' }, null, [networkHeader]],
    ['a route that starts a session', { scope: 'public', session: 'starts' }, null, [browserHeader, networkHeader]],
    ['a signed-in route', { scope: 'person' }, 'our-token', [principalHeader]],
    [
      'a signed-in route with a secret',
      { scope: 'person', cost: 'secret' },
      'our-token',
      [networkHeader, principalHeader],
    ],
    [
      'a signed-in route that asks for the network',
      { scope: 'organisation', tellsNetwork: true },
      'our-token',
      [networkHeader, principalHeader],
    ],
  ] as const)('sets no header of ours on %s', async (_, route, token, expected) => {
    admitted = { route: route as unknown as RouteContract, token };
    const heard = await heardBy(own);
    expect(Object.values(heard)).not.toContain('forged');
    expect(heard).not.toHaveProperty('expect');
    expect(ownHeaders.filter((header) => header in heard).toSorted()).toEqual([...expected].toSorted());
  });
});

test("auth hears a visitor's network, and browser and earlier session where one starts; of who is signed in nothing", async () => {
  const earlier = 'e'.repeat(43);
  const heardOn = async (route: Partial<RouteContract>): Promise<Record<string, string>> => {
    admitted = { route: route as RouteContract, token: null };
    const headers = {
      cookie: `__Host-parley-session=${earlier}`,
      [networkHeader]: 'forged',
      'user-agent': 'A'.repeat(400),
    };
    return (await (await fetch(`${url}/api/auth/x`, { headers })).json()) as Record<string, string>;
  };
  expect(await heardOn({ scope: 'public' })).toMatchObject({ [networkHeader]: '127.0.0.0/24' });
  for (const header of [sessionHeader, browserHeader])
    expect(await heardOn({ scope: 'public' })).not.toHaveProperty(header);
  expect(await heardOn({ scope: 'public', session: 'starts' })).toMatchObject({
    [sessionHeader]: earlier,
    [browserHeader]: 'A'.repeat(300),
  });
  expect(await heardOn({ scope: 'person' })).not.toHaveProperty(networkHeader);
});

test('what something else says instead of a service is a problem of ours', async () => {
  for (const status of [500, 502, 503]) {
    const answer = await fetch(`${url}/api/auth/mesh/${status}`);
    expect([answer.status, answer.headers.get('content-type')]).toEqual([
      503,
      'application/problem+json; charset=utf-8',
    ]);
    expect(await answer.json()).toMatchObject({ code: 'platform.unavailable' });
  }
  // The service's own 5xx goes through as it is.
  expect((await fetch(`${url}/api/auth/503`)).headers.get('content-type')).toBe('application/json');
});

describe('a token that expired on its way', () => {
  beforeEach(() => {
    lateTokens.length = 0;
    admitted = { route: {} as RouteContract, token: 'our-token', newToken: async () => 'new-token' };
  });
  const send = async (path: string, body?: string) => {
    const response = await fetch(`${url}/api/auth/late-token/${path}`, {
      ...(body !== undefined && { method: 'POST', body, headers: { 'content-type': 'application/json' } }),
    });
    expect(response.headers.get(lateTokenHeader)).toBeNull();
    return { status: response.status, answer: (await response.json()) as object, tokens: [...lateTokens] };
  };

  test.each([undefined, '{"text":"hello"}'])(
    'is replaced once, and the request with %s is sent again',
    async (body) => {
      expect(await send('x', body)).toEqual({
        status: 200,
        answer: { token: 'new-token', body: body ?? '' },
        tokens: ['our-token', 'new-token'],
      });
    },
  );

  test('twice is the fault of the server: 503, never 401', async () => {
    const { status, answer, tokens } = await send('always');
    expect([status, answer]).toEqual([503, { code: 'platform.unavailable' }]);
    expect(tokens).toEqual(['our-token', 'new-token']);
  });

  test('with a large body is not sent again: 503', async () => {
    const { status, tokens } = await send('x', JSON.stringify('x'.repeat(70_000)));
    expect([status, tokens]).toEqual([503, ['our-token']]);
  });

  test('and a service that dies meanwhile is unavailable', async () => {
    admitted = { ...admitted, newToken: () => Promise.reject(new Error('no key')) };
    expect((await send('x')).answer).toMatchObject({ code: 'bff.upstream-unavailable' });
  });
});

test('an answer is waited for as long as its route says', async () => {
  const answerWithin = async (patienceMs: number) => {
    admitted = { route: { patienceMs } as RouteContract, token: null };
    const response = await fetch(`${url}/api/auth/slow`);
    return [response.status, ((await response.json()) as { code?: string }).code];
  };
  expect(await answerWithin(slowMs / 4)).toEqual([504, 'bff.upstream-timeout']);
  expect(await answerWithin(slowMs * 150)).toEqual([200, undefined]);
});

test('where a route says nothing, the usual patience ends', async () => {
  const usual = jest.replaceProperty(patience, 'usual', (slowMs / 4) as never);
  admitted = { route: {} as RouteContract, token: null };
  expect((await fetch(`${url}/api/auth/slow`)).status).toBe(504);
  usual.restore();
  expect((await fetch(`${url}/api/auth/slow`)).status).toBe(200);
});

test('a session leaves as our cookie where its route starts one and it went well, and in no other way', async () => {
  const answer = async (session?: 'starts' | 'ends', path = '/api/auth/sessions') => {
    admitted = { route: { session } as RouteContract, token: null };
    const { headers } = await fetch(url + path);
    expect([headers.get(sessionHeader), headers.get('set-cookie')?.includes('planted') ?? false]).toEqual([
      null,
      false,
    ]);
    return headers.get('set-cookie');
  };
  expect(await answer('starts')).toMatch(/^__Host-parley-session=session-id;/);
  expect(await answer('ends')).toMatch(/^__Host-parley-session=;.*Max-Age=0/);
  expect(await answer()).toBeNull();
  expect(await answer('starts', '/api/auth/refused')).toBeNull();
  expect(await answer('ends', '/api/auth/refused')).toBeNull();
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

test('what a service refuses for want of a right is counted, of people only', async () => {
  const route = {} as RouteContract;
  const principal = aPerson();
  for (const [who, status] of [
    [principal, 403],
    [principal, 404],
    [null, 403],
  ] as const) {
    admitted = { route, principal: who, token: 'our-token' };
    expect((await fetch(`${url}/api/auth/${status}`)).status).toBe(status);
  }
  expect(denied).toEqual([[principal, route]]);
});
