import { beforeAll, expect, test } from '@jest/globals';
import { allOf, open } from '@parley/chat-exports/fixtures';
import type { Citation, MessageId } from '@parley/contracts';
import { newId } from '@parley/platform/ids';
import { buffer } from 'node:stream/consumers';
import type { Readable } from 'node:stream';
import { generationRows } from './answers/generations/rows/generation.collection.ts';
import { conversationRows } from './conversations/conversation.collection.ts';
import { newProject } from './conversations/project.ts';
import { projectRows } from './conversations/project.collection.ts';
import type { Viewer } from './conversations/index.ts';
import { importBench } from './testing/import-bench.spec-setup.ts';
import { aViewer } from './testing/viewer.spec-setup.ts';
import { exportsBench } from './workspace/exports/exports-bench.spec-setup.ts';
import type { ExportedChat } from './workspace/exports/export-format.ts';

const here = await exportsBench();
const there = await importBench();
beforeAll(async () => void (await Promise.all([here.ready(), there.ready()])));

const cited: Citation = {
  number: 1,
  documentId: newId('document'),
  chunkId: newId('chunk'),
  documentName: 'Leave.pdf',
  heading: 'Carry over',
  place: { kind: 'page', number: 3 },
};
const ended = [
  { status: 'done', failure: null, citations: [cited] },
  { status: 'stopped', failure: null, citations: [] },
  { status: 'failed', failure: 'provider-stalled', citations: [] },
  { status: 'interrupted', failure: null, citations: [] },
] as const;

/** A project with four chats, each with an answer that ended in its own way, and a branch of the first. */
async function filled(viewer: Viewer) {
  const { scope, principal } = viewer;
  const id = newId('project');
  const row = newProject({ orgId: scope.orgId, ownerId: principal.userId, id, name: 'Birds' }, here.clock.now());
  await here.work.run(principal, (tx) =>
    here.mongo
      .rows(projectRows)
      .within(scope, tx)
      .insert({ ...row, instructions: 'Be exact.', isPinned: true }),
  );
  const answers: { conversationId: string; messageId: MessageId }[] = [];
  for (const { status, failure, citations } of ended) {
    here.clock.advance(1_000);
    const { conversation, answer } = await here.aChat(viewer, {}, 'Three quiet herons [1].');
    const chatbot = { id: newId('chatbot'), version: 2, name: 'Handbook', glyph: 'book' } as const;
    const set = { status, failure, citations: [...citations], chatbot };
    await here.mongo.rows(generationRows).within(scope).update({ _id: answer.generation!.id }, { $set: set });
    await here.mongo
      .rows(conversationRows)
      .within(scope)
      .update({ _id: conversation.id }, { $set: { projectId: id } });
    answers.push({ conversationId: conversation.id, messageId: answer.id });
  }
  const [first, second] = answers;
  const branchedFrom = { conversationId: first!.conversationId, messageId: first!.messageId };
  await here.mongo
    .rows(conversationRows)
    .within(scope)
    .update({ _id: second!.conversationId as never }, { $set: { branchedFrom: branchedFrom as never } });
}

/** A chat without its ids, which are others after an import, and with the place of its origin in the list. */
function told(chats: readonly ExportedChat[]) {
  const sorted = chats.toSorted((one, other) => one.lastActivityAt.localeCompare(other.lastActivityAt));
  return sorted.map(({ id: _id, openMessageId: _open, project, branchedFrom, messages, ...head }) => ({
    ...head,
    project: project?.name,
    branchedFrom: branchedFrom && {
      chat: sorted.findIndex(({ id }) => id === branchedFrom.chatId),
      message: sorted.flatMap((chat) => chat.messages).find(({ id }) => id === branchedFrom.messageId)?.text,
    },
    messages: messages.map(({ id: _message, parentId: _parent, author: _author, ...message }) => message),
  }));
}

test('an export that another installation imports and exports again keeps projects, states of answers, sources, chatbots and origins of branches', async () => {
  const viewer = aViewer();
  await filled(viewer);
  const first = await here.exported(viewer);
  expect(JSON.parse(first.text('projects.json'))).toMatchObject({
    format: 'parley-projects',
    projects: [{ name: 'Birds', instructions: 'Be exact.', pinned: true, archived: false }],
  });
  expect(first.all.projects).toBe(1);
  const opened = await open(await buffer((await here.download(viewer, first.id)).content as Readable));
  const newcomer = aViewer();
  // The second installation dates what is in its future by its own clock.
  there.clock.advance(3_600_000);
  Object.assign(there.given, { source: 'parley', projects: await opened.projects() });
  const id = await there.imported(newcomer, await allOf(opened));
  expect(await there.read(newcomer, id)).toMatchObject({ status: 'done', losses: 0, imported: { chats: 4 } });
  const again = await thereExported(newcomer);
  expect(told(again)).toEqual(told(first.chats));
  expect(told(again)[1]!.branchedFrom).toEqual({ chat: 0, message: 'Three quiet herons [1].' });
  const ends = again.flatMap(({ messages }) =>
    messages.flatMap(({ role, state }) => (role === 'assistant' ? [state] : [])),
  );
  expect(new Set(ends)).toEqual(new Set(['failed', 'interrupted', 'stopped', undefined]));
  const [project] = await there.ownProjects.list(newcomer.scope, newcomer.principal.userId);
  const { createdAt } = JSON.parse(first.text('projects.json')).projects[0] as { createdAt: string };
  const kept = { name: 'Birds', instructions: 'Be exact.', isPinned: true, createdAt: new Date(createdAt) };
  expect(project).toMatchObject(kept);
  // Once more: nothing is doubled.
  await there.imported(newcomer, await allOf(opened));
  expect(await there.ownProjects.list(newcomer.scope, newcomer.principal.userId)).toHaveLength(1);
  expect(await there.conversationsOf(newcomer)).toHaveLength(4);
});

/** The chats of a person of the second installation as its exports have them. */
async function thereExported(viewer: Viewer): Promise<ExportedChat[]> {
  const { OneChatService } = await import('./workspace/exports/one-chat.service.ts');
  const { ChatReader } = await import('./workspace/exports/chat-reader.ts');
  const { ShownMessages } = await import('./answers/message-search/index.ts');
  const { messages, paths, open: openPaths, generations, references, access, clock, ownProjects } = there;
  const reader = new ChatReader(messages, paths, openPaths, new ShownMessages(generations), references, ownProjects);
  const one = new OneChatService(access, reader, clock);
  const chats: ExportedChat[] = [];
  for (const { id } of await there.conversationsOf(viewer)) {
    const asked = { ...viewer, params: { conversationId: id }, query: { as: 'json' } };
    const { content } = await one.download(asked as never);
    chats.push(JSON.parse((await buffer(content as Readable)).toString()) as ExportedChat);
  }
  return chats;
}
