import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import type { OrgId } from '@parley/protocol';
import { newId } from '@parley/platform/ids';
import { silentLogger } from '@parley/testing';
import { EventEmitter } from 'node:events';
import { relayNow } from './now-relay.ts';
import { rooms } from './sockets.ts';

const orgId: OrgId = newId('organisation');
const room = rooms.watching(orgId);
let asked: OrgId[];
let answer: () => Promise<object>;
let sent: unknown[];
let adapter: EventEmitter;
let stop: () => void;
beforeEach(() => {
  jest.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask'] });
  [asked, sent, adapter] = [[], [], new EventEmitter()];
  answer = async () => ({ running: asked.length });
  const io = {
    of: () => ({ adapter }),
    to: (to: string) => ({ volatile: { emit: (...what: unknown[]) => sent.push([to, ...what]) } }),
  };
  const call = async (_route: unknown, { params }: { params: { orgId: OrgId } }) => {
    asked.push(params.orgId);
    return answer();
  };
  const parts = { io, gate: { pass: (send: () => void) => send() } };
  stop = relayNow({ peers: { call }, logger: silentLogger() } as never, parts as never);
});
afterEach(() => {
  stop();
  jest.useRealTimers();
});
const pass = (ms: number) => jest.advanceTimersByTimeAsync(ms);

test('those who watch are told each second, and nobody is asked while nobody does', async () => {
  await pass(5_000);
  adapter.emit('create-room', rooms.organisation(orgId));
  await pass(5_000);
  expect(asked).toEqual([]);
  adapter.emit('create-room', room);
  await pass(0);
  expect(sent).toEqual([[room, 'monitoring.now', { running: 1 }]]);
  await pass(3_000);
  expect(sent).toHaveLength(4);
  adapter.emit('delete-room', room);
  await pass(5_000);
  expect(asked).toHaveLength(4);
});

test('a slow answer is waited for, not asked for again', async () => {
  answer = () => new Promise((resolve) => setTimeout(() => resolve({}), 2_500));
  adapter.emit('create-room', room);
  await pass(2_400);
  expect(asked).toHaveLength(1);
  await pass(1_100);
  expect([asked.length, sent.length]).toEqual([2, 1]);
});

test('a second without an answer is left out, and it goes on', async () => {
  answer = async () => Promise.reject(new Error('away'));
  adapter.emit('create-room', room);
  await pass(2_000);
  expect(sent).toEqual([]);
  answer = async () => ({});
  await pass(1_000);
  expect(sent).toHaveLength(1);
});

test('it ends with the process', async () => {
  adapter.emit('create-room', room);
  await pass(0);
  stop();
  await pass(5_000);
  expect(asked).toHaveLength(1);
});
