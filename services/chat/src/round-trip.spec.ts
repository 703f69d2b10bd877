import { beforeAll, expect, test } from '@jest/globals';
import type { ProjectFile } from '@parley/chat-exports';
import { allOf, open } from '@parley/chat-exports/fixtures';
import type { Audience, Citation, MessageId } from '@parley/contracts';
import { newId } from '@parley/platform/ids';
import { buffer } from 'node:stream/consumers';
import type { Readable } from 'node:stream';
import { generationRows } from './answers/generations/rows/generation.collection.ts';
import { conversationRows } from './conversations/conversation.collection.ts';
import type { Viewer } from './conversations/index.ts';
import { defaultConnectionIdOf } from './knowledge/connections/index.ts';
import { blobKey } from './knowledge/files/file.ts';
import { importBench } from './testing/import-bench.spec-setup.ts';
import { putProject } from './testing/put-project.spec-setup.ts';
import { aViewer } from './testing/viewer.spec-setup.ts';
import { exportsBench } from './workspace/exports/exports-bench.spec-setup.ts';
import type { ExportedChat } from './workspace/exports/export-format.ts';

const here = await exportsBench();
const there = await importBench();
beforeAll(async () => void (await Promise.all([here.ready(), there.ready()])));

const everybody = { kind: 'everybody' } as const;
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
  const { scope } = viewer;
  const chats = await here.readyFile(viewer, ['Thirty herons.'], 'Plan.md');
  const { id: own } = await here.upload(viewer, { name: 'Nests: all.txt', text: 'Two nests.' });
  const nobody: Audience = { kind: 'some', roles: [], groupIds: [], userIds: [] };
  const connectionIds = [
    await here.addConnection(viewer, everybody, 'Wiki'),
    await here.addConnection(viewer, everybody, 'Intranet'),
    await here.addConnection(viewer, nobody, 'Board papers'),
    defaultConnectionIdOf(scope.orgId),
  ];
  const given = { instructions: 'Be exact.', isPinned: true, connectionIds, files: [chats, own] };
  const id = await putProject(here, viewer, { name: 'Birds', ...given });
  const answers: { conversationId: string; messageId: MessageId }[] = [];
  for (const [at, { status, failure, citations }] of ended.entries()) {
    here.clock.advance(1_000);
    const files = at === 0 ? [{ id: chats, use: 'auto' as const }] : [];
    const { conversation, answer } = await here.aChat(viewer, { files }, 'Three quiet herons [1].');
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
    messages: messages.map(({ id: _message, parentId: _parent, author: _author, files, ...message }) => ({
      ...message,
      files: files.map(({ name }) => name),
    })),
  }));
}

test('an export that another installation imports and exports again keeps projects, states of answers, sources, chatbots and origins of branches', async () => {
  const viewer = aViewer();
  await filled(viewer);
  const first = await here.exported(viewer);
  expect(JSON.parse(first.text('projects.json'))).toMatchObject({
    format: 'parley-projects',
    projects: [
      {
        name: 'Birds',
        instructions: 'Be exact.',
        connections: ['Wiki', 'Intranet', ''],
        pinned: true,
        archived: false,
        files: [
          { name: 'Plan.md', path: expect.stringMatching(/^files\/fil_\w+\/Plan\.md$/) },
          { name: 'Nests: all.txt', path: expect.stringMatching(/^files\/fil_\w+\/Nests all\.txt$/) },
        ],
      },
    ],
  });
  expect(first.all.files).toBe(2);
  expect(first.all.projects).toBe(1);
  const opened = await open(await buffer((await here.download(viewer, first.id)).content as Readable));
  const newcomer = aViewer();
  // The second installation dates what is in its future by its own clock.
  there.clock.advance(3_600_000);
  const projectFiles: ProjectFile[] = [];
  for await (const file of opened.projectFiles()) projectFiles.push(file);
  Object.assign(there.given, { source: 'parley', projects: await opened.projects(), projectFiles });
  const wiki = await there.addConnection(newcomer, everybody, 'Wiki');
  const id = await there.imported(newcomer, await allOf(opened));
  expect(await there.read(newcomer, id)).toMatchObject({ status: 'done', imported: { chats: 4, files: 3 } });
  expect(await there.lossesOf(newcomer, id)).toMatchObject([{ reason: 'project-connection', name: 'Intranet' }]);
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
  expect(project!.connectionIds).toEqual([wiki, defaultConnectionIdOf(newcomer.scope.orgId)]);
  expect(await filesOf(newcomer, project!._id)).toEqual([
    ['Plan.md', 'Thirty herons.'],
    ['Nests: all.txt', 'Two nests.'],
  ]);
  // Once more: nothing is doubled.
  await there.imported(newcomer, await allOf(opened));
  expect(await there.ownProjects.list(newcomer.scope, newcomer.principal.userId)).toHaveLength(1);
  expect(await there.conversationsOf(newcomer)).toHaveLength(4);
  expect(await filesOf(newcomer, project!._id)).toHaveLength(2);
});

/** Names and contents of the files of a project of the second installation. */
async function filesOf(viewer: Viewer, projectId: string): Promise<string[][]> {
  const { items } = await there.projectFilesService.list({ ...viewer, params: { projectId } } as never);
  const found: string[][] = [];
  for (const { id, name } of items) {
    const content = await there.blobs.get(blobKey((await there.fileRows.find(viewer.scope, id))!));
    found.push([name, (await buffer(content!)).toString()]);
  }
  return found;
}

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
