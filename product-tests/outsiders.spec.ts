import { expect, test } from '@jest/globals';
import type { ChatbotId, ChunkId, ConnectionId, DocumentId, Permission } from '@parley/contracts';
import { newId } from '@parley/platform/ids';
import { eventually } from '@parley/testing';
import type { ParleyClient } from '@parley/testing/client';
import type OpenAI from 'openai';
import { CompletionsBench } from './completions.spec-setup.ts';
import { lastEvents, newPerson, plantMember, token } from '@parley/embedded/test-parley';

const bench = new CompletionsBench();
const question = 'Where do the herons of the marsh meet Osprey?';
/** Of the connection that only owners read, and whatever could name it. */
const secret = { text: 'The herons of the marsh meet Osprey at the weir.', title: 'merger-plan.md' };
const open = { text: 'The herons of the marsh stand by the lake.', title: 'birds.md' };

type Scene = {
  readonly connectionId: ConnectionId;
  readonly documentId: DocumentId;
  readonly chunkId: ChunkId;
  readonly chatbotId: ChatbotId;
  /** May make chatbots, and read what everybody may. */
  readonly outsider: ParleyClient;
};
let scene: Scene | null = null;

/** Two documents on the same thing: one that all may read, and one in a connection for owners. */
async function theScene(): Promise<Scene> {
  if (scene) return scene;
  const { owner, running } = bench;
  const connectionId = newId('connection');
  const audience = { kind: 'some' as const, roles: ['owner' as const], groupIds: [], userIds: [] };
  const connection = { id: connectionId, name: 'Board papers', source: { kind: 'upload' as const }, audience };
  await owner.call('POST /api/chat/connections', { body: { ...connection, schedule: 'manual' } });
  await owner.upload(open.title, open.text);
  const documentId = newId('document');
  const query = new URLSearchParams({ id: documentId, name: secret.title, connectionId });
  await owner.request('POST', `/api/chat/documents?${query.toString()}`, {
    body: secret.text,
    contentType: 'application/octet-stream',
  });
  await eventually(async () => {
    const { counts } = await owner.call('GET /api/chat/documents');
    expect(counts.searchable).toBe(2);
  }, 'both should be searchable');
  const found = await owner.call('POST /api/chat/search-tests', { body: { text: question, connectionId } });
  const chunkId = found.passages[0]!.chunkId;
  const permissions: Permission[] = [
    'org:read',
    'chat:create',
    'chat:read',
    'model:use',
    'chatbot:manage',
    'data_connection:read',
    'apikey:manage_own',
  ];
  const role = await owner.call('POST /api/org/roles', { body: { id: newId('role'), name: 'Builder', permissions } });
  const outsider = await newPerson(running.url);
  await plantMember(running.parley, outsider, owner, 'member');
  const members = await owner.call('GET /api/org/members');
  const { version } = members.items.find(({ userId }) => userId === outsider.me!.id)!;
  await owner.call('PUT /api/org/members/:userId/role', {
    params: { userId: outsider.me!.id },
    body: { role: role.id as never, version },
  });
  await eventually(async () => {
    expect((await outsider.call('GET /api/chat/chatbot-drafts')).items.length).toBeGreaterThan(0);
  }, 'the new role should count');
  const chatbotId = (await bench.defaultModel()) as ChatbotId;
  return (scene = { connectionId, documentId, chunkId, chatbotId, outsider });
}

/** What of the closed connection stands in it. */
function leaksIn(text: string, { connectionId, documentId, chunkId }: Scene): string[] {
  const words = [secret.text, secret.title, 'Board papers', connectionId, documentId, chunkId];
  return words.filter((word) => text.includes(word));
}

/** What somebody is told in one place, and what the model is told for it. */
type Place = (client: ParleyClient, scene: Scene) => Promise<unknown>;
const answered = async (client: ParleyClient): Promise<unknown> => {
  const conversationId = newId('conversation');
  await client.send(conversationId, question);
  return eventually(async () => {
    const { items } = await client.messages(conversationId);
    expect(items[1]?.generation?.status).toBe('done');
    return items[1];
  }, 'it should be answered');
};
const tried: Place = async (client, { chatbotId }) => {
  const params = { chatbotId };
  const body = { id: newId('trial'), question, version: null };
  const { id } = await client.call('POST /api/chat/chatbot-drafts/:chatbotId/trials', { params, body });
  return eventually(async () => {
    const trial = await client.call('GET /api/chat/trials/:trialId', { params: { trialId: id } });
    expect(trial.status).toBe('done');
    return trial;
  }, 'it should be tried');
};
const bothKeys: Permission[] = ['chat:create', 'chat:read', 'model:use', 'data_connection:read'];
const byApi =
  (stream: boolean): Place =>
  async (client, { chatbotId: model }) => {
    const openAi = bench.openAi((await bench.aKey(client, bothKeys)).secret);
    const asked = { model, messages: [{ role: 'user' as const, content: question }] };
    if (!stream) return openAi.chat.completions.create(asked);
    const chunks: OpenAI.ChatCompletionChunk[] = [];
    for await (const chunk of await openAi.chat.completions.create({ ...asked, stream })) chunks.push(chunk);
    return chunks;
  };
const withKey =
  (path: string): Place =>
  async (client) => {
    const headers = { authorization: `Bearer ${(await bench.aKey(client, bothKeys)).secret}` };
    return (await fetch(bench.running.url + path, { headers })).json();
  };
const openOnes = '"isDefault":true';
/** Beside each place what an outsider is told there. */
const places: [string, Place, string][] = [
  ['an answer in a chat', answered, open.title],
  ['a trial in the playground', tried, open.title],
  ['a completion', byApi(false), open.title],
  ['a completion in pieces', byApi(true), open.title],
  ['the data connections', (client) => client.call('GET /api/chat/connections'), openOnes],
  ['the documents', (client) => client.call('GET /api/chat/documents'), open.title],
  ['the data connections by a key', withKey('/api/chat/connections'), openOnes],
  ['the documents by a key', withKey('/api/chat/documents'), open.title],
];

test.each(places)(
  '%s: whoever may not read the connection is told nothing of it, and no model for them',
  async (_what, place, shown) => {
    const now = await theScene();
    bench.script = (response) => response.end(`${token('See [1] and [2].')}${lastEvents(11, 2)}`);
    const tell = async (client: ParleyClient) => {
      bench.mock.requests.length = 0;
      const told = JSON.stringify(await place(client, now));
      return told + bench.mock.requests.map(({ body }) => body).join('\n');
    };
    const toOwner = await tell(bench.owner);
    expect(leaksIn(toOwner, now)).not.toEqual([]);
    const toOutsider = await tell(now.outsider);
    expect(leaksIn(toOutsider, now)).toEqual([]);
    expect(toOutsider).toContain(shown);
  },
);

test('counts are those of what one may read', async () => {
  const { outsider, connectionId } = await theScene();
  const counted = async (client: ParleyClient) => [
    (await client.call('GET /api/chat/models')).documentCount,
    (await client.call('GET /api/chat/documents')).counts.all,
    (await client.call('GET /api/chat/documents', { query: { name: 'merger' } })).items.length,
    (await client.call('GET /api/chat/connections')).items.length,
  ];
  expect(await counted(bench.owner)).toEqual([2, 2, 1, 2]);
  expect(await counted(outsider)).toEqual([1, 1, 0, 1]);
  const within = await outsider.call('GET /api/chat/documents', { query: { connectionId } });
  expect(within).toEqual({ items: [], nextCursor: null, counts: { all: 0, searchable: 0, failed: 0 } });
});

test('a passage of it is not there, for the person and for their key', async () => {
  const now = await theScene();
  const { outsider, chunkId } = now;
  const params = { chunkId };
  expect(await bench.owner.call('GET /api/chat/passages/:chunkId', { params })).toMatchObject({ text: secret.text });
  await expect(outsider.call('GET /api/chat/passages/:chunkId', { params })).rejects.toMatchObject({ status: 404 });
  const told = JSON.stringify(await withKey(`/api/chat/passages/${chunkId}`)(outsider, now));
  expect(told).toContain('chat.passage-not-found');
  expect(told).not.toContain(secret.text);
});

test('what an owner was answered from it is found by nobody else’s search', async () => {
  const now = await theScene();
  bench.script = (response) => response.end(`${token(secret.text)}${lastEvents(11, 2)}`);
  await answered(bench.owner);
  const search = (client: ParleyClient) => client.call('GET /api/chat/search', { query: { q: 'weir' } });
  expect((await search(bench.owner)).items.length).toBeGreaterThan(0);
  expect((await search(now.outsider)).items).toEqual([]);
});

test('the search tester finds for another member what that one may read, and counts their connections', async () => {
  const now = await theScene();
  const find = (as?: ParleyClient) =>
    bench.owner.call('POST /api/chat/search-tests', { body: { text: question, ...(as && { as: as.me!.id }) } });
  const [own, theirs] = [await find(), await find(now.outsider)];
  expect([own.connections, theirs.connections]).toEqual([2, 1]);
  expect(leaksIn(JSON.stringify(own), now)).not.toEqual([]);
  expect(leaksIn(JSON.stringify(theirs), now)).toEqual([]);
  expect(theirs.passages.map(({ documentName }) => documentName)).toEqual([expect.stringContaining('birds')]);
});
