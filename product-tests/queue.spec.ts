import { expect, test } from '@jest/globals';
import type { MessageId } from '@parley/contracts';
import {
  lastEvents,
  newPerson,
  password,
  startMockProvider,
  startTestParley,
  token,
} from '@parley/embedded/test-parley';
import { newId } from '@parley/platform/ids';
import { eventually } from '@parley/testing';
import { ParleyClient } from '@parley/testing/client';
import { mkdtempSync, rmSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const queue = 'POST /api/chat/conversations/:conversationId/queue';

test('what waits is asked in its order, on whichever device and after a restart, until an answer fails', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'parley-queue-'));
  let answer: (response: ServerResponse) => void = () => undefined;
  const mock = await startMockProvider((_request, response) => answer(response));
  const settings = { PARLEY_OUTBOUND_ALLOW: mock.address };
  const first = await startTestParley(settings, { folder });
  const owner = await newPerson(first.url, { organisation: 'Queue' });
  await owner.call('POST /api/chat/providers', {
    body: { id: newId('provider'), name: 'M', baseUrl: mock.url, models: ['m'], defaultModel: 'm', isDefault: true },
  });
  const params = { conversationId: newId('conversation') };
  let parentId: MessageId = (await owner.send(params.conversationId, 'first')).answer.id;
  for (const text of ['second', 'third', 'fourth']) {
    const body = { kind: 'question', messageId: newId('message'), parentId, answerId: newId('message') } as const;
    parentId = body.answerId;
    await owner.call(queue, { params, body: { ...body, generationId: newId('generation'), text } });
  }
  await first.close();

  answer = (response) => {
    const asked = mock.requests.at(-1)?.body ?? '';
    response.setHeader('content-type', 'text/event-stream');
    response.end(asked.includes('third') ? 'data: nothing\n\n' : `${token('Herons.')}${lastEvents(1, 1)}`);
  };
  const second = await startTestParley(settings, { folder });
  const device = new ParleyClient(second.url);
  await device.signIn(owner.me?.email ?? '', password);
  device.orgId = owner.orgId;
  const said = async () => (await device.messages(params.conversationId)).items;
  await eventually(async () => {
    const { items, waitsForPerson } = await device.call('GET /api/chat/conversations/:conversationId/queue', {
      params,
    });
    expect([items.map(({ text }) => text), waitsForPerson]).toEqual([['fourth'], true]);
  }, 'the queue should wait behind the answer that failed');
  const messages = await said();
  expect(messages.map(({ text }) => text)).toEqual(['first', 'Herons.', 'second', 'Herons.', 'third', '']);
  expect(messages.map(({ parentId: parent }) => parent)).toEqual([null, ...messages.slice(0, -1).map(({ id }) => id)]);
  answer = (response) =>
    void response.setHeader('content-type', 'text/event-stream').end(`${token('Storks.')}${lastEvents(1, 1)}`);
  await device.call('POST /api/chat/conversations/:conversationId/queue/resume', { params });
  await eventually(async () => expect((await said()).at(-1)?.text).toBe('Storks.'), 'the last one should be asked');
  await second.close();
  mock.close();
  rmSync(folder, { recursive: true });
}, 90_000);
