import { beforeAll, describe, expect, test } from '@jest/globals';
import type { ConnectionId, ConversationId, OrgRole, ProjectId } from '@parley/contracts';
import { watchCommands } from '@parley/testing';
import type { Viewer } from '../../../conversations/index.ts';
import { projectBench } from '../../../testing/project-bench.spec-setup.ts';
import { aViewer } from '../../../testing/viewer.spec-setup.ts';

const bench = await projectBench();
const { addConnection, addDocument, addFile, create, move, readyFile, removeFile, update } = bench;
beforeAll(bench.ready);

type Wish = { readonly conversationId?: ConversationId; readonly projectId?: ProjectId };

/** Creates a chatbot that searches only the uploads, and documents there. */
async function aDesk() {
  const viewer = aViewer();
  const uploads = (await bench.connectionRepository.list(viewer.scope))[0]!._id;
  await addDocument(viewer, 'Herons of uploads.');
  const knowledge = { passages: 6, onlyFromDocuments: false, connectionIds: [uploads] };
  return { viewer, chatbotId: await bench.addChatbot(viewer, { knowledge }) };
}
type Desk = Awaited<ReturnType<typeof aDesk>>;

/** Asks about herons; returns the chat and the material of the answer. */
async function ask({ viewer, chatbotId }: Desk, wish: Wish) {
  const asked = await bench.ask(viewer, { text: 'herons', chatbotId, ...wish });
  const prepared = await bench.prepare.prepare(await bench.find(viewer, asked));
  await bench.end(viewer, asked);
  return {
    conversationId: asked.conversation.id,
    prepared,
    texts: prepared.passages.map(({ text }) => text).toSorted(),
  };
}
async function giveTo({ scope, principal }: Viewer, connectionId: ConnectionId, roles: OrgRole[]): Promise<void> {
  const audience = { kind: 'some' as const, roles, groupIds: [], userIds: [] };
  const seen = (await bench.connectionRepository.find(scope, connectionId))!;
  await bench.work.run(principal, (tx) => bench.connectionRepository.change(scope, seen, { audience }, tx));
}

describe('answers in projects', () => {
  test('searches the project’s connections besides the chatbot’s, while the person can read them', async () => {
    const desk = await aDesk();
    const { viewer } = desk;
    const [id, records] = [await create(viewer), await addConnection(viewer)];
    await addDocument(viewer, 'Herons of change records.', records);
    expect((await ask(desk, { projectId: id })).texts).toEqual(['Herons of uploads.']);
    await update(viewer, id, { connectionIds: [records] });
    const { conversationId, prepared, texts } = await ask(desk, { projectId: id });
    expect(texts).toEqual(['Herons of change records.', 'Herons of uploads.']);
    expect(prepared).toMatchObject({ documentCount: 2, projectKnowledge: { connectionIds: [records], files: [] } });
    await giveTo(viewer, records, ['admin']);
    const without = await ask(desk, { conversationId });
    expect(without.texts).toEqual(['Herons of uploads.']);
    expect(without.prepared).not.toHaveProperty('projectKnowledge');
  });

  test('searches ready files of the project, and cites them', async () => {
    const desk = await aDesk();
    const { viewer } = desk;
    const id = await create(viewer);
    const [fileId, { id: unread }] = [await readyFile(viewer, ['Herons of drawings.']), await bench.upload(viewer)];
    for (const one of [unread, fileId]) await addFile(viewer, id, one);
    // The worker that reads this file has stored only a part of its passages.
    await bench.filePassages.replace(viewer.scope, {
      fileId: unread,
      passages: [{ heading: null, text: 'Herons, half.' }],
    });
    const { conversationId, prepared, texts } = await ask(desk, { projectId: id });
    expect(texts).toEqual(['Herons of drawings.', 'Herons of uploads.']);
    expect(prepared.citations).toContainEqual(expect.objectContaining({ fileId, documentName: 'Plan.txt' }));
    expect(prepared.projectKnowledge).toEqual({ connectionIds: [], files: [{ id: fileId, name: 'Plan.txt' }] });
    await removeFile(viewer, id, fileId);
    expect((await ask(desk, { conversationId })).texts).toEqual(['Herons of uploads.']);
  });

  test('answers without a project file that is erased during the search', async () => {
    const desk = await aDesk();
    const { viewer } = desk;
    const id = await create(viewer);
    const fileId = await readyFile(viewer, ['Herons of drawings.']);
    await addFile(viewer, id, fileId);
    const { conversationId } = await ask(desk, { projectId: id });
    await removeFile(viewer, id, fileId);
    await bench.eraseUnused();
    // Simulates a process that read the project before the file was removed.
    await bench.mongo.connection.collection('projects').updateOne({ _id: id as never }, { $set: { files: [fileId] } });
    const { prepared, texts } = await ask(desk, { conversationId });
    expect(texts).toEqual(['Herons of uploads.']);
    expect(prepared).not.toHaveProperty('projectKnowledge');
  });

  test('uses the knowledge of the chat’s current project, not of another or a deleted one', async () => {
    const desk = await aDesk();
    const { viewer } = desk;
    const [id, other] = [await create(viewer), await create(viewer)];
    await addFile(viewer, id, await readyFile(viewer, ['Herons of drawings.']));
    await addFile(viewer, other, await readyFile(viewer, ['Herons of storms.']));
    const { conversationId } = await ask(desk, { projectId: id });
    await move(viewer, conversationId, other);
    expect((await ask(desk, { conversationId })).texts).toEqual(['Herons of storms.', 'Herons of uploads.']);
    await move(viewer, conversationId, null);
    expect((await ask(desk, { conversationId })).texts).toEqual(['Herons of uploads.']);
    await move(viewer, conversationId, id);
    await bench.removeProject(viewer, id);
    expect((await ask(desk, { conversationId })).texts).toEqual(['Herons of uploads.']);
  });
});

test('an answer in a project without knowledge takes only one more store command than an answer outside', async () => {
  const desk = await aDesk();
  const { viewer } = desk;
  const projectId = await create(viewer);
  await update(viewer, projectId, { instructions: 'Name the drawing.' });
  async function commandsOf(wish: Wish): Promise<string[]> {
    const asked = await bench.ask(viewer, { text: 'herons', chatbotId: desk.chatbotId, ...wish });
    const generation = await bench.find(viewer, asked);
    const { commands, stop } = watchCommands();
    await bench.prepare.prepare(generation);
    stop();
    return commands.map(({ what }) => what).toSorted();
  }
  // The first question loads the project's row, which later questions have in memory.
  await commandsOf({});
  const outside = await commandsOf({});
  expect(outside.length).toBeGreaterThan(0);
  expect(await commandsOf({ projectId })).toEqual([...outside, 'projects.find'].toSorted());
});
