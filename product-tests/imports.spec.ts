import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { importPartBytes, type ChatImport, type ImportId } from '@parley/contracts';
import { newId } from '@parley/platform/ids';
import { eventually } from '@parley/testing';
import type { ParleyClient } from '@parley/testing/client';
import { newPerson, plantMember, startTestParley, type TestParley } from '@parley/embedded/test-parley';

let running: TestParley;
let owner: ParleyClient;
let member: ParleyClient;
beforeAll(async () => {
  running = await startTestParley();
  const setupToken = new URL(running.parley.setupUrl ?? '').searchParams.get('setup') ?? '';
  owner = await newPerson(running.url, { organisation: 'Herons', setupToken });
  member = await newPerson(running.url);
  await plantMember(running.parley, member, owner, 'member');
}, 90_000);
afterAll(() => running.close());

const messageOf = (id: string, parent: string | null, text: string, children: readonly string[] = []) => ({
  id,
  parent,
  children,
  message: {
    id,
    author: { role: id.startsWith('q') ? 'user' : 'assistant' },
    create_time: 1_700_000_000,
    content: { content_type: 'text', parts: [text] },
    metadata: { model_slug: 'gpt-4o' },
  },
});
/** A chat of ChatGPT with an edited question. */
const chatOf = (id: string, more: object = {}) => ({
  title: `About ${id}`,
  conversation_id: id,
  create_time: 1_700_000_000,
  update_time: 1_700_000_000,
  current_node: 'a1',
  mapping: {
    root: { id: 'root', message: null, parent: null, children: ['q1', 'q2'] },
    q1: messageOf('q1', 'root', `When do ${id} come?`, ['a1']),
    a1: messageOf('a1', 'q1', 'In March, with the wind.'),
    q2: messageOf('q2', 'root', `Where do ${id} sleep?`, ['a2']),
    a2: messageOf('a2', 'q2', 'In trees.'),
    ...more,
  },
});

async function uploaded(person: ParleyClient, name: string, content: Buffer): Promise<ImportId> {
  const importId = newId('import');
  await person.call('POST /api/chat/imports', { body: { id: importId, files: [{ name, bytes: content.length }] } });
  // The last one first.
  for (let part = Math.ceil(content.length / importPartBytes); part >= 1; part -= 1) {
    const bytes = content.subarray((part - 1) * importPartBytes, part * importPartBytes);
    await person.sendImportPart({ importId, number: 1, part }, new Uint8Array(bytes));
  }
  await person.call('POST /api/chat/imports/:importId/check', { params: { importId } });
  return importId;
}
const until = (person: ParleyClient, importId: ImportId, wanted: ChatImport['status']) =>
  eventually(async () => {
    const found = await person.call('GET /api/chat/imports/:importId', { params: { importId } });
    expect(found.status).toBe(wanted);
    return found;
  }, `the import should be ${wanted}`);

test('chats of ChatGPT come in parts, are checked, imported, found and asked on, and cost nothing', async () => {
  const long = { ...chatOf('storks'), padding: 'x'.repeat(importPartBytes) };
  const content = Buffer.from(JSON.stringify([chatOf('herons'), long, { title: 'Nothing' }]));
  const importId = await uploaded(owner, 'renamed-by-somebody.json', content);
  const checked = await until(owner, importId, 'checked');
  expect(checked).toMatchObject({
    source: 'chatgpt',
    report: { chats: { toImport: 2, empty: 1 }, branches: { found: 2 } },
  });
  await owner.call('POST /api/chat/imports/:importId/start', { params: { importId }, body: { again: false } });
  const done = await until(owner, importId, 'done');
  expect(done.imported).toEqual({ chats: 2, messages: 8, branches: 2, files: 0 });
  const [first] = await owner.conversations();
  expect(first).toMatchObject({ imported: { source: 'chatgpt' } });
  const found = await owner.call('GET /api/chat/search', { query: { q: 'wind' } });
  expect(found.items).toHaveLength(2);
  const path = await owner.call('GET /api/chat/conversations/:conversationId/path', {
    params: { conversationId: first!.id },
    query: { limit: 50 },
  });
  expect(path.items.map(({ text }) => text).at(-1)).toBe('In March, with the wind.');
  const ids = { messageId: newId('message'), answerId: newId('message'), generationId: newId('generation') };
  await owner.call('POST /api/chat/conversations/:conversationId/messages', {
    params: { conversationId: first!.id },
    body: { ...ids, parentId: path.items.at(-1)!.id, text: 'And in April?' },
  });
  await eventually(async () => {
    const { items } = await owner.messages(first!.id);
    expect(items.at(-1)?.generation?.status).toBe('done');
  }, 'the question under an imported answer should be answered');
  const ledger = await owner.call('GET /api/billing/ledger-entries', { query: { limit: 100 } });
  expect(ledger.items.length).toBeLessThanOrEqual(1);
  const rated = owner.call('PUT /api/chat/conversations/:conversationId/messages/:messageId/feedback', {
    params: { conversationId: first!.id, messageId: path.items.at(-1)!.id },
    body: { rating: 'up' },
  });
  await expect(rated).rejects.toThrow('chat.message-not-found');
}, 60_000);

test('an API key of the same person can’t import', async () => {
  const endsAt = new Date(Date.now() + 3_600_000).toISOString();
  const permissions = ['chat:create' as const, 'chat:read' as const];
  const body = { id: newId('apiKey'), name: 'Night', permissions, endsAt };
  const { secret } = await member.call('POST /api/auth/my-api-keys', { body });
  const response = await fetch(`${running.url}/api/chat/imports`, { headers: { authorization: `Bearer ${secret!}` } });
  expect(response.status).toBe(403);
  expect(await response.json()).toMatchObject({ code: 'bff.not-by-key' });
});

test('the upload of a person who leaves the organisation is deleted', async () => {
  const importId = await uploaded(member, 'export.json', Buffer.from(JSON.stringify([chatOf('cranes')])));
  await until(member, importId, 'checked');
  const used = async () => (await owner.call('GET /api/chat/connections')).storage?.usedBytes ?? 0;
  const before = await used();
  expect(before).toBeGreaterThan(0);
  await owner.call('DELETE /api/org/members/:userId', {
    params: { userId: member.me!.id },
    query: { reason: 'Has left' },
  });
  await eventually(async () => expect(await used()).toBe(0), 'the upload should be deleted', 30_000);
}, 60_000);
