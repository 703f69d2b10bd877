import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { AskedFile, ConversationId, FileId } from '@parley/contracts';
import { newId } from '@parley/platform/ids';
import { eventually } from '@parley/testing';
import type { ParleyClient } from '@parley/testing/client';
import { pageOf, pdfOf } from '@parley/testing/files';
import { newPerson, plantMember, startTestParley, type TestParley } from '@parley/embedded/test-parley';

let running: TestParley;
let owner: ParleyClient;
beforeAll(async () => {
  running = await startTestParley();
  const setupToken = new URL(running.parley.setupUrl ?? '').searchParams.get('setup') ?? '';
  owner = await newPerson(running.url, { organisation: 'Files', setupToken });
});
afterAll(() => running.close());

async function attached(name: string, content: string | Uint8Array<ArrayBuffer>): Promise<FileId> {
  const id = newId('file');
  await owner.attach(id, name, content);
  await eventually(async () => {
    const { items } = await owner.call('GET /api/chat/files', { query: { ids: id } });
    expect(items[0]?.status).toBe('ready');
  }, 'the file should be ready');
  return id;
}
const ask = (conversationId: ConversationId, text: string, files: AskedFile[]) =>
  owner.call('POST /api/chat/conversations/:conversationId/messages', {
    params: { conversationId },
    body: { messageId: newId('message'), answerId: newId('message'), generationId: newId('generation'), text, files },
  });
const contentOf = (person: ParleyClient, id: FileId) => person.request('GET', `/api/chat/files/${id}/content`);

test('an answer quotes a file of its question with its page, and no other chat has anything of it', async () => {
  const pages = [pageOf('Leave', [['Each has 28 days.']]), pageOf('Parking', [['The car park opens at seven.']])];
  const id = await attached('Plan.pdf', new Uint8Array(pdfOf(pages)));
  const conversationId = newId('conversation');
  const { message } = await ask(conversationId, 'When does the car park open?', [{ id, use: 'searched' }]);
  expect(message.files).toMatchObject([{ id, name: 'Plan.pdf', use: 'searched' }]);
  const answerOf = (where: ConversationId) =>
    eventually(async () => {
      const { items } = await owner.messages(where);
      expect(items[1]?.generation?.status).toBe('done');
      return items[1]!;
    }, 'the answer should be there');
  const { citations } = await answerOf(conversationId);
  expect(citations).toMatchObject([{ fileId: id, documentName: 'Plan.pdf', heading: 'Parking', place: { number: 2 } }]);
  const { chunkId } = citations[0]!;
  const params = { fileId: id, chunkId };
  const passage = await owner.call('GET /api/chat/files/:fileId/passages/:chunkId', { params });
  expect(passage).toMatchObject({ name: 'Plan.pdf', text: expect.stringContaining('seven') });
  expect(passage.before).toContain('28 days');
  const other = owner.call('GET /api/chat/files/:fileId/passages/:chunkId', {
    params: { fileId: id, chunkId: newId('chunk') },
  });
  await expect(other).rejects.toMatchObject({ problem: { code: 'chat.passage-not-found' } });
  const elsewhere = newId('conversation');
  await owner.send(elsewhere, 'When does the car park open?');
  expect((await answerOf(elsewhere)).citations).toEqual([]);
});

test('a file leaves as an attachment that no browser shows, for who can read a chat with it', async () => {
  const html = '<!doctype html><script>alert(1)</script><h1>Bicycles</h1><p>Bicycles stand in the yard.</p>';
  const id = await attached('Bicycles.html', html);
  await ask(newId('conversation'), '', [{ id, use: 'auto' }]);
  const response = await contentOf(owner, id);
  const names = ['content-type', 'content-disposition', 'x-content-type-options', 'cache-control'];
  expect(names.map((name) => response.headers.get(name))).toEqual([
    'application/octet-stream',
    'attachment; filename=Bicycles.html',
    'nosniff',
    'private, no-store',
  ]);
  expect(await response.text()).toBe(html);
  const colleague = await newPerson(running.url);
  await plantMember(running.parley, colleague, owner, 'owner');
  const stranger = await newPerson(running.url, { organisation: 'Strangers' });
  expect([(await contentOf(colleague, id)).status, (await contentOf(stranger, id)).status]).toEqual([404, 404]);
});

test('a question needs words or files, names each file once and at most twenty', async () => {
  const refused = { status: 400 };
  const id = newId('file');
  const twenty = Array.from({ length: 21 }, () => ({ id: newId('file'), use: 'auto' as const }));
  for (const files of [
    [],
    [
      { id, use: 'auto' },
      { id, use: 'whole' },
    ] as AskedFile[],
    twenty,
  ])
    await expect(ask(newId('conversation'), ' ', files)).rejects.toMatchObject(refused);
  await expect(ask(newId('conversation'), 'x', [{ id, use: 'auto' }])).rejects.toMatchObject({ status: 404 });
});

test('a file may be twice as large as a document, and no larger', async () => {
  const large = (bytes: number) => new Uint8Array(bytes).fill(0x20);
  const id = newId('file');
  expect(await owner.attach(id, 'large.txt', large(50_000_000))).toMatchObject({ bytes: 50_000_000 });
  const tooLarge = owner.attach(newId('file'), 'large.txt', large(50_000_001));
  await expect(tooLarge).rejects.toMatchObject({ status: 413, problem: { code: 'platform.body-too-large' } });
});
