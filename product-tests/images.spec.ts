import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { newId } from '@parley/platform/ids';
import { eventually } from '@parley/testing';
import type { ParleyClient } from '@parley/testing/client';
import {
  lastEvents,
  newPerson,
  startMockProvider,
  startTestParley,
  token,
  type MockProvider,
  type TestParley,
} from '@parley/embedded/test-parley';

/** A PNG of four pixels. */
const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAIAAAACCAIAAAD91JpzAAAACXBIWXMAAAPoAAAD6AG1e1JrAAAAE0lEQVQImWM4w8BwhgGMzzAwAAAZjgMx8FJdJAAAAABJRU5ErkJggg==',
  'base64',
);
let running: TestParley;
let owner: ParleyClient;
let mock: MockProvider;
const asked: string[] = [];

beforeAll(async () => {
  mock = await startMockProvider(({ body }, response) => {
    asked.push(body);
    response.end(`${token('Red.')}${lastEvents(11, 2)}`);
  });
  running = await startTestParley({ PARLEY_OUTBOUND_ALLOW: mock.address });
  owner = await newPerson(running.url, { organisation: 'Images' });
  const fields = { name: 'Mock', baseUrl: mock.url, models: ['mock-1'], defaultModel: 'mock-1', isDefault: true };
  await owner.call('POST /api/chat/providers', { body: { id: newId('provider'), ...fields } });
}, 90_000);
afterAll(async () => {
  await running.close();
  mock.close();
});

test('an image goes to the model and to the page as JPEG; the file itself is only downloaded', async () => {
  const id = newId('file');
  await owner.attach(id, 'Red.png', new Uint8Array(png));
  await eventually(async () => {
    const { items } = await owner.call('GET /api/chat/files', { query: { ids: id } });
    expect(items[0]).toMatchObject({ status: 'ready', image: { width: 2, height: 2 } });
  }, 'the image should be ready');
  const conversationId = newId('conversation');
  const ids = { messageId: newId('message'), answerId: newId('message'), generationId: newId('generation') };
  await owner.call('POST /api/chat/conversations/:conversationId/messages', {
    params: { conversationId },
    body: { ...ids, text: 'Which colour?', files: [{ id, use: 'auto' }] },
  });
  await eventually(async () => {
    const { items } = await owner.messages(conversationId);
    expect(items[1]?.generation?.status).toBe('done');
  }, 'the answer should be there');
  const shown = await owner.raw('GET', `/api/chat/files/${id}/image`);
  const headers = ['content-type', 'cache-control', 'x-content-type-options'];
  expect(headers.map((name) => shown.headers.get(name))).toEqual(['image/jpeg', 'private, max-age=300', 'nosniff']);
  const jpeg = Buffer.from(await shown.arrayBuffer()).toString('base64');
  expect(asked.some((body) => body.includes(`data:image/jpeg;base64,${jpeg}`))).toBe(true);
  const file = await owner.raw('GET', `/api/chat/files/${id}/content`);
  expect(file.headers.get('content-disposition')).toBe('attachment; filename=Red.png');
  const stranger = await newPerson(running.url, { organisation: 'Others' });
  expect((await stranger.raw('GET', `/api/chat/files/${id}/image`)).status).toBe(404);
});
