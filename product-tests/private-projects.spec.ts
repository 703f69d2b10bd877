import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { ProjectId, Resource } from '@parley/contracts';
import { newPerson, plantMember, startTestParley, type TestParley } from '@parley/embedded/test-parley';
import { newId } from '@parley/platform/ids';
import { eventually } from '@parley/testing';
import type { LiveSocket, ParleyClient } from '@parley/testing/client';

/** Only owners hear live events of their projects and imports, not a colleague with all permissions. */
let running: TestParley;
let owner: ParleyClient;
let colleague: ParleyClient;
const sockets: LiveSocket[] = [];
beforeAll(async () => {
  running = await startTestParley();
  const setupToken = new URL(running.parley.setupUrl ?? '').searchParams.get('setup') ?? '';
  owner = await newPerson(running.url, { organisation: 'Herons', setupToken });
  colleague = await newPerson(running.url);
  await plantMember(running.parley, colleague, owner, 'admin');
}, 90_000);
afterAll(async () => {
  for (const socket of sockets) socket.close();
  await running.close();
});

/** Each names what the rule of `project.changed`, `conversation.moved` or `imports.changed` lets a tab fetch again. */
const [ofProject, ofMove, ofImport]: readonly (readonly Resource[])[] = [
  ['projects', 'files'],
  ['conversations', 'projects'],
  ['imports', 'conversations', 'projects'],
];
const own = new Set<Resource>(['projects', 'imports', 'conversations']);

/** Opens a tab; returns what it hears of projects, chats and imports. */
async function tabOf(person: ParleyClient): Promise<(readonly Resource[])[]> {
  const socket = person.socket();
  sockets.push(socket);
  const heard: (readonly Resource[])[] = [];
  socket.onAny((name: string, { resources = [] }: { resources?: Resource[] }) => {
    if (name !== 'resource.changed') heard.push([]);
    else if (resources.some((resource) => own.has(resource))) heard.push(resources);
  });
  await new Promise(
    (resolve, reject) => void socket.once('connect', () => resolve(null)).once('connect_error', reject),
  );
  return heard;
}

const aProject = (person: ParleyClient) =>
  person.call('POST /api/chat/projects', { body: { id: newId('project'), name: 'Herons' } });

/** Changes a project in each way that is told. */
async function changeProject(person: ParleyClient, { id: projectId, revision }: { id: ProjectId; revision: number }) {
  const params = { projectId };
  await person.call('PATCH /api/chat/projects/:projectId', { params, body: { revision, instructions: 'Be exact.' } });
  const fileId = newId('file');
  await person.attach(fileId, 'Plan.md', '# Plan');
  await person.call('PUT /api/chat/projects/:projectId/files/:fileId', { params: { projectId, fileId } });
  const conversationId = newId('conversation');
  await person.send(conversationId, 'Herons?');
  const body = { conversationIds: [conversationId], projectId };
  await person.call('PUT /api/chat/conversation-projects', { body });
  await person.call('DELETE /api/chat/projects/:projectId', { params });
  await person.call('POST /api/chat/projects/:projectId/restore', { params });
}

/** Imports an export with a project that has a file. */
async function importProject(person: ParleyClient): Promise<void> {
  const docs = [{ uuid: 'd', filename: 'Plan.md', content: '# Plan' }];
  const exported = [
    ['conversations.json', [{ uuid: 'c', name: 'C', chat_messages: [{ uuid: 'q', sender: 'human', text: 'Q' }] }]],
    ['projects.json', [{ uuid: 'p', name: 'Storks', docs }]],
  ] as const;
  const files = exported.map(([name, content]) => ({ name, content: Buffer.from(JSON.stringify(content)) }));
  const importId = newId('import');
  const params = { importId };
  const until = (status: string) =>
    eventually(async () => {
      expect(await person.call('GET /api/chat/imports/:importId', { params })).toMatchObject({ status });
    }, `the import should be ${status}`);
  await person.call('POST /api/chat/imports', {
    body: { id: importId, files: files.map(({ name, content }) => ({ name, bytes: content.length })) },
  });
  for (const [at, { content }] of files.entries())
    await person.sendImportPart({ importId, number: at + 1, part: 1 }, new Uint8Array(content));
  await person.call('POST /api/chat/imports/:importId/check', { params });
  await until('checked');
  await person.call('POST /api/chat/imports/:importId/start', { params, body: { again: false } });
  await until('done');
}

test('the owner’s second tab hears of projects and imports; a colleague and a stranger hear nothing of them', async () => {
  const stranger = await newPerson(running.url, { organisation: 'Storks' });
  const mine = await tabOf(owner.copy());
  const others = [await tabOf(colleague), await tabOf(stranger)];
  await changeProject(owner, await aProject(owner));
  await importProject(owner);
  await eventually(() => {
    for (const resources of [ofProject, ofMove, ofImport]) expect(mine).toContainEqual(resources);
  }, 'the second tab should hear of it');
  const { items } = await owner.call('GET /api/chat/projects');
  const imported = items.find(({ name }) => name === 'Storks')!;
  expect(imported.files).toBe(1);
  const ofFiles = { params: { projectId: imported.id } };
  for (const other of [colleague, stranger])
    await expect(other.call('GET /api/chat/projects/:projectId/files', ofFiles)).rejects.toMatchObject({
      problem: { code: 'chat.project-not-found' },
    });
  // Events of their own project would follow it.
  for (const other of [colleague, stranger]) await aProject(other);
  await eventually(() => {
    for (const heard of others) expect(heard).not.toEqual([]);
  }, 'each should hear of their own project');
  expect(others).toEqual([[ofProject], [ofProject]]);
}, 90_000);
