import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { newId } from '@parley/platform/ids';
import { createLogger } from '@parley/platform/logging';
import { eventually } from '@parley/testing';
import type { ParleyClient } from '@parley/testing/client';
import { connect } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import {
  lastEvents,
  newPerson,
  startMockProvider,
  startTestParley,
  token,
  type MockProvider,
  type TestParley,
} from '@parley/embedded/test-parley';
import { EventLog } from './live-rules/settled.spec-setup.ts';

/** What people do every day is no error of the product: its log stays empty at the level of warnings. */
const lines: string[] = [];
/** Requests that the model still answers. */
let asking = 0;
const words = 12;
const wordMs = 10;
/** In the middle of everything: before the answer is claimed, while it is written, when it ends, and after that. */
const moments = [0, 1, 3, 8, 15, 30, 60, 100, 130, 160];
let mock: MockProvider;
let running: TestParley;
let owner: ParleyClient;
let log: EventLog;

beforeAll(async () => {
  mock = await startMockProvider((_request, response) => {
    asking += 1;
    response.once('close', () => (asking -= 1));
    response.setHeader('content-type', 'text/event-stream');
    void (async () => {
      for (let word = 0; word < words; word += 1) {
        response.write(token('heron '));
        await wait(wordMs);
      }
      response.end(lastEvents(3, words));
    })();
  });
  const logger = createLogger({ name: 'test', level: 'warn', destination: { write: (line) => void lines.push(line) } });
  running = await startTestParley({ PARLEY_OUTBOUND_ALLOW: mock.address }, { logger });
  const setupToken = new URL(running.parley.setupUrl ?? '').searchParams.get('setup') ?? '';
  owner = await newPerson(running.url, { organisation: 'Lindmoor Energy', setupToken });
  log = await EventLog.of(running.parley);
  const model = { models: ['mock-1'], defaultModel: 'mock-1', isDefault: true };
  await owner.call('POST /api/chat/providers', {
    body: { id: newId('provider'), name: 'Mock', baseUrl: mock.url, ...model },
  });
}, 90_000);
afterAll(async () => {
  await log.close();
  await running.close();
  mock.close();
});

test.each(['deleted', 'deleted and erased'])('a chat is %s while its answer is written', async (how) => {
  for (const moment of moments) {
    const conversationId = newId('conversation');
    const params = { conversationId };
    const socket = owner.socket();
    await owner.send(conversationId, 'Which bird waits?');
    socket.emit('conversation.open', { conversationId }, () => undefined);
    await wait(moment);
    await owner.call('DELETE /api/chat/conversations/:conversationId', { params });
    if (how !== 'deleted')
      await eventually(
        () => owner.call('POST /api/chat/conversations/:conversationId/erase', { params }),
        'it can be erased when the answer has ended',
      );
    socket.close();
  }
  await eventually(() => expect(asking).toBe(0), 'the model should have been left alone');
  await log.settled();
  expect(lines).toEqual([]);
});

test('a client disconnects before the answer, or in the middle of its request', async () => {
  const body = JSON.stringify({ email: owner.me?.email, password: 'three quiet herons' });
  const session = await owner.raw('POST', '/api/auth/sessions', { body, contentType: 'application/json' });
  const { host, hostname, port } = new URL(running.url);
  const common = [`Host: ${host}`, 'parley-csrf: 1', `Cookie: ${session.headers.getSetCookie()[0]?.split(';')[0]}`];
  const cut = async (lineAndHeaders: readonly string[], afterMs: number): Promise<void> => {
    const [first, ...headers] = lineAndHeaders;
    const socket = connect(Number(port), hostname).on('error', () => undefined);
    socket.write(`${[first, ...common, `parley-org: ${owner.orgId}`, ...headers].join('\r\n')}\r\n\r\n{"text":"a`);
    await wait(afterMs);
    socket.destroy();
  };
  const tooMuch = 'Content-Length: 5000';
  for (const moment of moments) {
    const conversation = `/api/chat/conversations/${newId('conversation')}`;
    await Promise.all([
      cut([`POST ${conversation}/messages HTTP/1.1`, 'Content-Type: application/json', tooMuch], moment),
      cut([`POST /api/chat/documents?id=${newId('document')}&name=a.md HTTP/1.1`, tooMuch], moment),
      cut([`GET ${conversation}/messages HTTP/1.1`], moment),
      cut(['GET /api/chat/conversations HTTP/1.1'], moment),
    ]);
  }
  await log.settled();
  expect(lines).toEqual([]);
});
