import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { getConversation, getMembership, peersOf, type ConversationId, type Service } from '@parley/contracts';
import { principalHeader } from '@parley/protocol';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createKeyRing, publicKeysOf, TokenSigner, TokenVerifier } from '../../base/crypto/index.ts';
import { newId } from '../../base/ids/index.ts';
import { createLogger } from '../../base/logging/index.ts';
import { callContext, newCallContext } from '../../events/work/index.ts';
import { Peers } from './peers.ts';

const params = { orgId: newId('organisation'), userId: newId('user') };
const membership = { ...params, permissions: [], rightsVersion: 1, accessEnd: null };
const traceparent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';
const inTime = { deadlineMs: 1_000, failMode: 'refuse' } as const;
const nobody = { ...params, permissions: [], rightsVersion: 0, accessEnd: null };

let answer: RequestListener;
let server: Server;
let peers: Peers;
let verifier: TokenVerifier;
let asked: Service[];
let told: string[];
let address: Promise<string>;

beforeEach(async () => {
  answer = (_request, response) => void response.end(JSON.stringify(membership));
  server = createServer((request, response) => answer(request, response));
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  address = Promise.resolve(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  const ring = await createKeyRing();
  const signer = await TokenSigner.create('bff', ring.signing.bff.private);
  verifier = await TokenVerifier.create('org', publicKeysOf(ring));
  const logger = createLogger({ name: 'test', level: 'silent' });
  [asked, told] = [[], []];
  for (const level of ['warn', 'info'] as const) logger[level] = () => void told.push(level);
  const addressOf = (service: Service) => {
    asked.push(service);
    return address;
  };
  peers = new Peers({ deployable: 'bff', addressOf, signer, logger });
});
afterEach(async () => {
  server.closeAllConnections();
  server.close();
  await peers.close();
});

const ask = () => peers.call(getMembership, { params }, inTime);
const otherwise = () => peers.call(getMembership, { params }, { ...inTime, failMode: { otherwise: nobody } });

test('fills the path of a call, and names the calling service and its request’s trace', async () => {
  let seen: unknown[] = [];
  answer = (request, response) => {
    seen = [request.url, request.headers['traceparent'], verifier.verify(String(request.headers[principalHeader]))];
    response.end(JSON.stringify(membership));
  };
  const call = callContext.run(newCallContext(traceparent), ask);
  await expect(call).resolves.toMatchObject({ rightsVersion: 1 });
  expect(asked).toEqual(['org']);
  expect(await Promise.all(seen)).toEqual([
    `/internal/org/organisations/${params.orgId}/members/${params.userId}`,
    traceparent,
    { kind: 'service', service: 'bff' },
  ]);
});

test("calls a route of people with the person's token", async () => {
  let token: unknown;
  answer = (request, response) => {
    token = request.headers[principalHeader];
    response.writeHead(404).end(JSON.stringify({ code: 'chat.conversation-not-found' }));
  };
  const call = peers.call(
    getConversation,
    { params: { conversationId: 'cnv_1' as ConversationId } },
    { ...inTime, personToken: 'of a person' },
  );
  await expect(call).rejects.toMatchObject({ code: 'chat.conversation-not-found' });
  expect(token).toBe('of a person');
  // @ts-expect-error -- without it nobody would be asking
  void (() => peers.call(getConversation, { params: { conversationId: 'cnv_1' as ConversationId } }, inTime));
});

test('never calls a service that isn’t on the list', async () => {
  const parts = { addressOf: () => address, logger: createLogger({ name: 'test', level: 'silent' }) };
  const ring = await createKeyRing();
  const signer = await TokenSigner.create('billing', ring.signing.billing.private);
  const ofBilling = new Peers({ ...parts, deployable: 'billing', signer });
  expect(peersOf.billing).not.toContain('chat');
  const call = ofBilling.call(
    getConversation,
    { params: { conversationId: 'cnv_1' as ConversationId } },
    { ...inTime, personToken: 'x' },
  );
  await expect(call).rejects.toThrow('billing does not call chat');
  await ofBilling.close();
});

test('waits for a peer that is starting, until the deadline', async () => {
  const here = await address;
  address = new Promise((resolve) => setTimeout(() => resolve(here), 200));
  await expect(ask()).resolves.toMatchObject({ rightsVersion: 1 });
  address = new Promise(() => undefined);
  await expect(peers.call(getMembership, { params }, { ...inTime, deadlineMs: 100 })).rejects.toMatchObject({
    code: 'platform.unavailable',
  });
});

const failures: readonly [string, RequestListener][] = [
  ['is silent', () => undefined],
  ['stops in the middle', (_request, response) => void response.writeHead(200).write('{')],
  ['hangs up', (request) => void request.socket.destroy()],
  ['is away behind a mesh that says so as a page', (_request, response) => void response.writeHead(503).end('<html>')],
  ['answers with a page', (_request, response) => void response.end('<html>')],
  [
    'is away behind a mesh that says so in its own JSON',
    (_request, response) => void response.writeHead(404).end('{"error":1}'),
  ],
  ['fails', (_request, response) => void response.writeHead(500).end('{"code":"platform.internal"}')],
];
test.each(failures)('reports a peer that %s as unavailable, or continues with the given answer', async (_how, fail) => {
  answer = fail;
  const soon = { params };
  const options = { deadlineMs: 150 } as const;
  await expect(peers.call(getMembership, soon, { ...options, failMode: 'refuse' })).rejects.toMatchObject({
    code: 'platform.unavailable',
  });
  await expect(peers.call(getMembership, soon, { ...options, failMode: { otherwise: nobody } })).resolves.toBe(nobody);
});

test('logs each outage of a peer once', async () => {
  const works = answer;
  answer = (_request, response) => void response.writeHead(503).end();
  for (let each = 0; each < 3; each += 1) await otherwise();
  expect(told).toEqual(['warn']);
  answer = works;
  await otherwise();
  answer = (_request, response) => void response.writeHead(503).end();
  await otherwise();
  expect(told).toEqual(['warn', 'info', 'warn']);
});

test('a caller’s error doesn’t count as an outage of the peer', async () => {
  answer = (_request, response) => void response.writeHead(404).end('{"code":"org.organisation-not-found"}');
  await expect(otherwise()).rejects.toMatchObject({ code: 'org.organisation-not-found' });
  expect(told).toEqual([]);
});

test('ignores fields that a newer peer adds, and invents no missing ones', async () => {
  const permissions = ['chat:read', 'future:right'];
  const newer = {
    ...membership,
    permissions,
    isNew: true,
    accessEnd: { at: '2026-01-01T00:00:00.000Z', reason: 'r', by: 'x' },
  };
  answer = (_request, response) => void response.end(JSON.stringify(newer));
  const read = await ask();
  expect(read).toEqual({
    ...membership,
    permissions: ['chat:read'],
    accessEnd: { at: newer.accessEnd.at, reason: 'r' },
  });
  const { rightsVersion: _rightsVersion, ...without } = newer;
  answer = (_request, response) => void response.end(JSON.stringify(without));
  await expect(ask()).rejects.toThrow('rightsVersion');
});

test('accepts a deadline with a fraction of a millisecond', async () => {
  const left = peers.call(getMembership, { params }, { deadlineMs: 999.5, failMode: 'refuse' });
  expect(await left).toEqual(membership);
});
