import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Trial } from '@parley/contracts';
import { newId } from '@parley/platform/ids';
import { eventually } from '@parley/testing';
import { HeldAnswer, type LiveSocket, type ParleyClient } from '@parley/testing/client';
import {
  lastEvents,
  newPerson,
  startMockProvider,
  startTestParley,
  token,
  type MockProvider,
  type TestParley,
} from '@parley/embedded/test-parley';

let running: TestParley;
let owner: ParleyClient;
let mock: MockProvider;
let socket: LiveSocket;
/** The provider's last words wait for this. */
let goOn: () => void;

beforeAll(async () => {
  mock = await startMockProvider((_request, response) => {
    response.setHeader('content-type', 'text/event-stream');
    response.write(`data: ${JSON.stringify({ choices: [{ delta: { reasoning_content: 'Is it so?' } }] })}\n\n`);
    response.write(token('one '));
    goOn = () => response.end(`${token('two')}${lastEvents(1, 2)}`);
  });
  running = await startTestParley({ PARLEY_OUTBOUND_ALLOW: mock.address });
  owner = await newPerson(running.url, { organisation: 'Studio' });
  await owner.call('POST /api/chat/providers', {
    body: { id: newId('provider'), name: 'M', baseUrl: mock.url, models: ['m'], defaultModel: 'm', isDefault: true },
  });
}, 90_000);
afterAll(async () => {
  socket.close();
  await running.close();
  mock.close();
});

test('a trial is heard word by word, thoughts first, by the socket of whoever asked it', async () => {
  const [chatbot] = (await owner.call('GET /api/chat/chatbot-drafts', {})).items;
  const params = { chatbotId: chatbot!.id };
  const body = { id: newId('trial'), question: 'Count', version: null };
  const trial: Trial = await owner.call('POST /api/chat/chatbot-drafts/:chatbotId/trials', { params, body });
  const answer = new HeldAnswer();
  socket = owner.socket();
  socket.on('generation.frame', (frame) => answer.take(frame));
  await new Promise<void>((resolve) => void socket.once('connect', resolve));
  const { conversationId } = trial;
  expect(await socket.emitWithAck('conversation.open', { conversationId })).toMatchObject({ ok: false });
  expect(await socket.emitWithAck('conversation.open', { conversationId, trialId: trial.id })).toEqual({
    ok: true,
    sequence: null,
    generationId: trial.generationId,
  });
  await eventually(() => expect(answer.text).toBe('one '), 'the first word should come');
  goOn();
  await eventually(() => expect([answer.text, answer.end]).toEqual(['one two', 'done']), 'the rest should come');
  const ended = await owner.call('GET /api/chat/trials/:trialId', { params: { trialId: trial.id } });
  expect(ended).toMatchObject({ status: 'done', text: 'one two', thoughts: { text: 'Is it so?' } });
});
