import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { ConversationId, ImportId, ProjectId } from '@parley/contracts';
import { newPerson, startTestParley, type TestParley } from '@parley/embedded/test-parley';
import { newId } from '@parley/platform/ids';
import { eventually } from '@parley/testing';
import type { ParleyClient } from '@parley/testing/client';
import { unzipSync } from 'fflate';
import mongoose from 'mongoose';

let running: TestParley;
let owner: ParleyClient;
beforeAll(async () => {
  running = await startTestParley();
  const setupToken = new URL(running.parley.setupUrl ?? '').searchParams.get('setup') ?? '';
  owner = await newPerson(running.url, { organisation: 'Herons', setupToken });
});
afterAll(() => running.close());

type Exported = {
  readonly title: string;
  readonly id: string;
  readonly project?: { readonly name: string };
  readonly branchedFrom?: { readonly chatId: string };
  readonly messages: readonly {
    readonly text: string;
    readonly chatbot?: string;
    readonly state?: string;
    readonly failure?: string;
    readonly citations?: readonly { readonly documentName: string; readonly fileId?: string }[];
    readonly files: readonly { readonly id: string; readonly name: string }[];
  }[];
};

async function exportOf(person: ParleyClient): Promise<{ zip: Buffer; chats: Exported[]; projects: unknown[] }> {
  const id = newId('export');
  await person.call('POST /api/chat/exports', { body: { id } });
  await eventually(async () => {
    const { items } = await person.call('GET /api/chat/exports');
    expect(items.find((item) => item.id === id)).toMatchObject({ status: 'ready' });
  }, 'the export should be ready');
  const bare = person.copy();
  bare.orgId = null;
  const response = await bare.request('GET', `/api/chat/exports/${id}/content?org=${person.orgId}`);
  const zip = Buffer.from(await response.arrayBuffer());
  const entries = unzipSync(new Uint8Array(zip));
  const read = (name: string) => JSON.parse(Buffer.from(entries[name]!).toString()) as unknown;
  const chats = Object.keys(entries).filter((name) => /^chats\/cnv_.*\.json$/.test(name));
  const { projects } = read('projects.json') as { projects: unknown[] };
  return { zip, chats: chats.map((name) => read(name) as Exported), projects };
}

async function imported(person: ParleyClient, zip: Buffer): Promise<ImportId> {
  const importId = newId('import');
  const params = { importId };
  const until = (status: string) =>
    eventually(async () => {
      expect(await person.call('GET /api/chat/imports/:importId', { params })).toMatchObject({ status });
    }, `the import should be ${status}`);
  await person.call('POST /api/chat/imports', {
    body: { id: importId, files: [{ name: 'parley.zip', bytes: zip.length }] },
  });
  await person.sendImportPart({ importId, number: 1, part: 1 }, new Uint8Array(zip));
  await person.call('POST /api/chat/imports/:importId/check', { params });
  await until('checked');
  await person.call('POST /api/chat/imports/:importId/start', { params, body: { again: false } });
  await until('done');
  return importId;
}

async function aChatbot(person: ParleyClient, name: string) {
  const content = {
    name,
    glyph: 'bolt' as const,
    instructions: '',
    model: null,
    fallback: null,
    temperature: null,
    knowledge: { passages: 6, onlyFromDocuments: false, connectionIds: null },
    starters: [],
    audience: { kind: 'everybody' as const },
  };
  const { id: chatbotId, revision } = await person.call('POST /api/chat/chatbot-drafts', {
    body: { id: newId('chatbot'), content },
  });
  const params = { chatbotId };
  await person.call('POST /api/chat/chatbot-drafts/:chatbotId/publish', { params, body: { revision, note: '' } });
  return chatbotId;
}

async function answered(person: ParleyClient, text: string, more: Parameters<ParleyClient['send']>[2] = {}) {
  const conversationId = newId('conversation');
  const { answer } = await person.send(conversationId, text, more);
  await eventually(async () => {
    const { items } = await person.messages(conversationId);
    expect(items[1]?.generation?.status).toBe('done');
  }, 'the answer should be there');
  return { conversationId, answer };
}

/** With the organisation's uploads and a file. */
async function aProject(person: ParleyClient, name: string): Promise<ProjectId> {
  const { id, revision } = await person.call('POST /api/chat/projects', { body: { id: newId('project'), name } });
  const { items } = await person.call('GET /api/chat/connections');
  const connectionIds = items.map((connection) => connection.id);
  const body = { revision, instructions: 'Quote the paragraph.', pinned: true, connectionIds };
  await person.call('PATCH /api/chat/projects/:projectId', { params: { projectId: id }, body });
  const fileId = newId('file');
  await person.attach(fileId, 'Works agreement.md', '# Works agreement');
  await person.call('PUT /api/chat/projects/:projectId/files/:fileId', { params: { projectId: id, fileId } });
  return id;
}

/** The projects of a person with the names of their files. */
async function projectsOf(person: ParleyClient) {
  const { items } = await person.call('GET /api/chat/projects');
  return Promise.all(
    items.map(async ({ id: projectId, name, connectionIds = [] }) => {
      const files = await person.call('GET /api/chat/projects/:projectId/files', { params: { projectId } });
      return { name, connections: connectionIds.length, files: files.items.map((file) => file.name) };
    }),
  );
}

/** As if its model server had stopped talking. */
async function fail(generationId: string): Promise<void> {
  const connection = await mongoose.createConnection(running.parley.internals.storeUri('parley_chat')).asPromise();
  const set = { status: 'failed', failure: 'provider-stalled' };
  await connection.collection<{ _id: string }>('generations').updateOne({ _id: generationId }, { $set: set });
  await connection.close();
}

/** A chat without its ids, which are others after an import. */
const told = (chats: readonly Exported[]) =>
  chats
    .map(({ title, project, branchedFrom, messages }) => ({
      title,
      project: project?.name,
      from: chats.find(({ id }) => id === branchedFrom?.chatId)?.title,
      messages: messages.map(({ text, chatbot, state, failure, citations = [], files }) => ({
        text,
        chatbot,
        state,
        failure,
        files: files.map(({ name }) => name),
        sources: citations.map(({ documentName, fileId }) => [
          documentName,
          messages.flatMap((message) => message.files).some(({ id }) => id === fileId),
        ]),
      })),
    }))
    .toSorted((one, other) => one.title.localeCompare(other.title));

test('an export comes whole into another organisation: projects, ends, sources, chatbots, origins', async () => {
  const fileId = newId('file');
  await owner.attach(fileId, 'Plan.md', '# Plan\n\nCarry over ends in March.');
  await eventually(async () => {
    const { items } = await owner.call('GET /api/chat/files', { query: { ids: fileId } });
    expect(items[0]?.status).toBe('ready');
  }, 'the file should be ready');
  const chatbotId = await aChatbot(owner, 'Handbook');
  const asked = await answered(owner, 'When does carry over end?', {
    chatbotId,
    files: [{ id: fileId, use: 'searched' }],
  });
  const failed = await answered(owner, 'Where do herons sleep?');
  await fail(failed.answer.generation!.id);
  await owner.call('POST /api/chat/conversations/:conversationId/branches', {
    params: { conversationId: asked.conversationId },
    body: { id: newId('conversation'), messageId: asked.answer.id, copies: 'path' },
  });
  const projectId = await aProject(owner, 'Leave policy');
  const conversationIds: ConversationId[] = [asked.conversationId, failed.conversationId];
  await owner.call('PUT /api/chat/conversation-projects', { body: { conversationIds, projectId } });
  const first = await exportOf(owner);
  expect(told(first.chats).map(({ project, from }) => [project, from])).toEqual(
    expect.arrayContaining([
      ['Leave policy', undefined],
      [undefined, 'When does carry over end?'],
    ]),
  );

  const newcomer = await newPerson(running.url, { organisation: 'Storks' });
  const importId = await imported(newcomer, first.zip);
  const second = await exportOf(newcomer);
  expect(told(second.chats)).toEqual(told(first.chats));
  expect(second.projects).toMatchObject([{ name: 'Leave policy', instructions: 'Quote the paragraph.', pinned: true }]);
  const whole = [{ name: 'Leave policy', connections: 1, files: ['Works agreement.md'] }];
  expect(await projectsOf(newcomer)).toEqual(whole);
  const offered = (await newcomer.call('GET /api/chat/chatbots')).items.map(({ name }) => name);
  expect(offered).not.toContain('Handbook');

  await imported(newcomer, first.zip);
  expect(await projectsOf(newcomer)).toEqual(whole);
  const chatsOf = async () =>
    (await newcomer.call('GET /api/chat/conversations', { query: { import: importId } })).items.length;
  expect(await chatsOf()).toBe(3);
  await newcomer.call('DELETE /api/chat/imports/:importId/chats', { params: { importId } });
  await eventually(async () => {
    expect(await newcomer.call('GET /api/chat/imports/:importId', { params: { importId } })).toMatchObject({
      here: 0,
      chats: { state: 'deleted' },
    });
  }, 'its chats should be deleted');
  await newcomer.call('POST /api/chat/imports/:importId/chats/restore', { params: { importId } });
  await eventually(async () => expect(await chatsOf()).toBe(3), 'its chats should be restored');
}, 90_000);
