import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { createCompletion } from '@parley/contracts';
import { Counts } from '@parley/platform/counts';
import { newId } from '@parley/platform/ids';
import { MemoryKv } from '@parley/platform/kv';
import type { Platform } from '@parley/platform/service';
import type { OrgId, RouteContract, UserId } from '@parley/protocol';
import { eventually, silentLogger } from '@parley/testing';
import express, { type Request, type Response } from 'express';
import { createServer, type Server } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { promisify } from 'node:util';
import type { ErrorTunnel } from '../errors/error-tunnel.ts';
import { createApi } from './api.ts';
import type { Admitted, ApiGate } from './api-gate.ts';
import type { Upstreams } from './forward.ts';

const declared = 900;
const atOnce = { person: 3, organisation: 5, key: 2, bytes: 8_000, why: 'Its body is large.' };
const route = { ...createCompletion, atOnce } as RouteContract;

let server: Server;
let counts: Counts;
/** Bodies that have reached the service, whole or not. */
let arrived: Request[];
/** The beginning of each answer. */
let answers: string[];
let sockets: Socket[];
let isAnswering: boolean;

beforeEach(async () => {
  [arrived, answers, sockets, isAnswering] = [[], [], [], false];
  counts = new Counts(new MemoryKv());
  const admit = async (request: Request): Promise<Admitted> => {
    const [userId, orgId, key] = request.header('x-who')!.split(' ') as [UserId, OrgId, string | undefined];
    const principal = { kind: 'person', userId, sessionKey: key ?? 'a session' } as unknown as Admitted['principal'];
    const caller = { userId, orgId, ...(key && { key }) };
    return { route, principal, token: 't', newToken: null, caller, allowance: null };
  };
  const handle = (request: Request, response: Response) => {
    arrived.push(request);
    request.resume();
    request.once('end', () => isAnswering && response.end('whole'));
  };
  const app = express().use(
    createApi({
      gate: { admit } as unknown as ApiGate,
      upstreams: { chat: { handle } } as unknown as Upstreams,
      tunnel: {} as ErrorTunnel,
      platform: { logger: silentLogger() } as Platform,
      counts,
    }),
  );
  server = createServer(app);
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
});
afterEach(() => {
  for (const socket of sockets) socket.destroy();
  server.closeAllConnections();
  server.close();
  counts.close();
});

type From = { readonly userId?: UserId; readonly orgId?: OrgId; readonly key?: string };
const aUser = () => newId('user');
/** Sends all of a body but its last byte; returns how to send that. */
function send(
  { userId = aUser(), orgId = newId('organisation'), key }: From,
  bytes = declared,
  length?: string,
): () => void {
  const at = sockets.length;
  answers[at] = '';
  const who = [userId, orgId, key].filter(Boolean).join(' ');
  const size = length ?? `content-length: ${bytes}`;
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  socket.on('data', (data: Buffer) => (answers[at] += data.toString()));
  socket.on('error', () => undefined);
  socket.write(`POST /v1/chat/completions HTTP/1.1\r\nhost: x\r\nx-who: ${who}\r\n${size}\r\n\r\n`);
  if (length === undefined) socket.write('x'.repeat(bytes - 1));
  sockets.push(socket);
  return () => void socket.write('x');
}
const refused = () => answers.filter((answer) => answer.startsWith('HTTP/1.1 4') || answer.startsWith('HTTP/1.1 5'));
/** Waits until each request has gone to the service or been refused. */
const untilAll = () =>
  eventually(() => arrived.length + refused().length === sockets.length, 'all have gone on or been refused');

const one = aUser();
const anOrganisation = newId('organisation');
test.each([
  ['a person, whichever key they use,', () => ({ userId: one, key: newId('apiKey') }), atOnce.person, 'You have 3'],
  ['an organisation', () => ({ orgId: anOrganisation }), atOnce.organisation, 'Your organisation has 5'],
  ['an API key', () => ({ userId: one, key: one }), atOnce.key, 'This API key has 2'],
])('%s has so many bodies on their way; one more is 429 before it is read', async (_who, from, most, words) => {
  for (let at = 0; at < 8; at += 1) send(from(), 100);
  await untilAll();
  expect(arrived.length).toBe(most);
  for (const answer of refused()) {
    expect(answer).toMatch(/^HTTP\/1\.1 429 .*\r\nretry-after: \d+\r\n/is);
    expect(answer).toContain(words);
  }
});

test('a process takes bodies up to its bytes; one more is 503 with Retry-After', async () => {
  for (let at = 0; at < 12; at += 1) send({});
  await untilAll();
  expect(arrived.length).toBe(Math.floor(atOnce.bytes / declared));
  for (const answer of refused()) expect(answer).toMatch(/^HTTP\/1\.1 503 .*\r\nretry-after: \d+\r\n/is);
});

test('a person has a quarter of the bytes at most, so that others are served beside them', async () => {
  const userId = aUser();
  for (let at = 0; at < 3; at += 1) send({ userId });
  send({});
  await untilAll();
  expect([arrived.length, refused().length]).toEqual([3, 1]);
});

test('a body without a declared length counts with the maximum body size', async () => {
  send({}, 0, 'transfer-encoding: chunked');
  await untilAll();
  expect(refused()).toEqual([expect.stringMatching(/^HTTP\/1\.1 503 /)]);
});

test('bytes are free when the body has come or its sender has left', async () => {
  isAnswering = true;
  const whole = Array.from({ length: 8 }, () => send({}));
  await untilAll();
  for (const end of whole) end();
  await eventually(() => answers.every((answer) => answer.startsWith('HTTP/1.1 200')), 'all are answered');
  for (let at = 0; at < 9; at += 1) send({});
  await untilAll();
  expect([arrived.length, refused().length]).toEqual([16, 1]);
  for (const socket of sockets) socket.destroy();
  const open = promisify(server.getConnections.bind(server));
  await eventually(async () => (await open()) === 0, 'all have left');
  [arrived, sockets, answers] = [[], [], []];
  for (let at = 0; at < 8; at += 1) send({});
  await untilAll();
  expect(refused()).toEqual([]);
});
