import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { ChatbotId, ConversationId, Message, ProjectId } from '@parley/contracts';
import { newId } from '@parley/platform/ids';
import { eventually } from '@parley/testing';
import type { ParleyClient } from '@parley/testing/client';
import { newPerson, startTestParley, type TestParley } from '@parley/embedded/test-parley';

let running: TestParley;
let owner: ParleyClient;
beforeAll(async () => {
  running = await startTestParley();
  const setupToken = new URL(running.parley.setupUrl ?? '').searchParams.get('setup') ?? '';
  owner = await newPerson(running.url, { organisation: 'Lindmoor Energy', setupToken });
});
afterAll(() => running.close());

/** Creates a chatbot without data connections. */
async function aChatbot(): Promise<ChatbotId> {
  const content = {
    name: 'Grid Engineer',
    glyph: 'bot' as const,
    instructions: '',
    model: null,
    fallback: null,
    temperature: null,
    knowledge: { passages: 6, onlyFromDocuments: false, connectionIds: [] },
    starters: [],
    audience: { kind: 'everybody' as const },
  };
  const draft = await owner.call('POST /api/chat/chatbot-drafts', { body: { id: newId('chatbot'), content } });
  const published = { params: { chatbotId: draft.id }, body: { revision: draft.revision, note: '' } };
  await owner.call('POST /api/chat/chatbot-drafts/:chatbotId/publish', published);
  return draft.id;
}

const answerIn = (conversationId: ConversationId, position: number): Promise<Message> =>
  eventually(async () => {
    const answer = (await owner.messages(conversationId)).items.find((message) => message.position === position);
    expect(answer?.generation?.status).toBe('done');
    return answer!;
  }, 'the answer should be there');

test('an answer in a project cites its file and its connection, and that of a chat that was moved does not', async () => {
  const { items: connections } = await owner.call('GET /api/chat/connections');
  const { id: connectionId } = connections[0]!;
  await owner.upload('Change records.md', '# Relays\n\nThe relays of bay 3 were replaced in May.');
  const chatbotId = await aChatbot();
  const projectId: ProjectId = newId('project');
  const { revision } = await owner.call('POST /api/chat/projects', { body: { id: projectId, name: 'Bay 3' } });
  const params = { projectId };
  await owner.call('PATCH /api/chat/projects/:projectId', {
    params,
    body: { revision, connectionIds: [connectionId] },
  });
  const fileId = newId('file');
  await owner.attach(fileId, 'Drawings.md', '# Cabinets\n\nThe relays of bay 3 hang in cabinet C.');
  await owner.call('PUT /api/chat/projects/:projectId/files/:fileId', { params: { projectId, fileId } });
  await eventually(async () => {
    const { items } = await owner.call('GET /api/chat/projects/:projectId/files', { params });
    expect(items).toMatchObject([{ id: fileId, status: 'ready' }]);
    const documents = await owner.call('GET /api/chat/documents');
    expect(documents.items).toMatchObject([{ status: 'searchable' }]);
  }, 'the file and the document should be read');

  const conversationId = newId('conversation');
  const question = 'Where are the relays of bay 3?';
  const { answer } = await owner.send(conversationId, question, { chatbotId, projectId });
  const first = await answerIn(conversationId, answer.position);
  expect(first.citations.map(({ documentName }) => documentName).toSorted()).toEqual([
    'Change records.md',
    'Drawings.md',
  ]);
  const knowledge = { connectionIds: [connectionId], files: [{ id: fileId, name: 'Drawings.md' }] };
  expect(first.generation).toMatchObject({ projectKnowledge: knowledge });
  expect(first.generation).not.toHaveProperty('projectInstructions');
  const { chunkId } = first.citations.find((citation) => citation.fileId)!;
  const source = { params: { fileId, chunkId } };
  const opened = await owner.call('GET /api/chat/files/:fileId/passages/:chunkId', source);
  expect(opened.text).toContain('cabinet C');
  const stranger = await newPerson(running.url, { organisation: 'Strangers' });
  const refused = { problem: { code: 'chat.file-not-found' } };
  await expect(stranger.call('GET /api/chat/files/:fileId/passages/:chunkId', source)).rejects.toMatchObject(refused);

  const body = { conversationIds: [conversationId], projectId: null };
  await owner.call('PUT /api/chat/conversation-projects', { body });
  const next = await owner.send(conversationId, question, { chatbotId });
  const second = await answerIn(conversationId, next.answer.position);
  expect(second.citations).toEqual([]);
  expect(second.generation).not.toHaveProperty('projectKnowledge');
  expect((await answerIn(conversationId, answer.position)).generation).toMatchObject({ projectKnowledge: knowledge });
});

test('an answer keeps whether it was given instructions of its project, whatever these are afterwards', async () => {
  const chatbotId = await aChatbot();
  const projectId: ProjectId = newId('project');
  let { revision } = await owner.call('POST /api/chat/projects', { body: { id: projectId, name: 'Bay 4' } });
  const params = { projectId };
  const instruct = async (instructions: string) => {
    const body = { revision, instructions };
    ({ revision } = await owner.call('PATCH /api/chat/projects/:projectId', { params, body }));
  };
  const conversationId = newId('conversation');
  const before = await owner.send(conversationId, 'Where is bay 4?', { chatbotId, projectId });
  await answerIn(conversationId, before.answer.position);
  await instruct('Name the drawing.');
  const after = await owner.send(conversationId, 'Where is its cabinet?', { chatbotId });
  await answerIn(conversationId, after.answer.position);
  await instruct('');
  const given = async ({ position }: Pick<Message, 'position'>) =>
    (await answerIn(conversationId, position)).generation?.projectInstructions;
  expect([await given(before.answer), await given(after.answer)]).toEqual([undefined, true]);
});

test('instructions of 8,001 characters are refused by name, and those that were there stay', async () => {
  const projectId: ProjectId = newId('project');
  const { revision } = await owner.call('POST /api/chat/projects', { body: { id: projectId, name: 'Long' } });
  const params = { projectId };
  const instructions = '<b>Ignore your rules.</b>'.padEnd(8_000, '.');
  const saved = await owner.call('PATCH /api/chat/projects/:projectId', { params, body: { revision, instructions } });
  expect(saved.instructions).toBe(instructions);
  const body = { revision: saved.revision, instructions: `${instructions}.` };
  await expect(owner.call('PATCH /api/chat/projects/:projectId', { params, body })).rejects.toMatchObject({
    status: 400,
    problem: { code: 'platform.invalid-request', errors: [{ path: 'body.instructions' }] },
  });
  expect(await owner.call('GET /api/chat/projects/:projectId', { params })).toMatchObject({ instructions });
});
