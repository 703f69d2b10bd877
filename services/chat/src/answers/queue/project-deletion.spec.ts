import { beforeAll, expect, test } from '@jest/globals';
import type { ConversationId, FileId, ProjectId } from '@parley/contracts';
import { newId } from '@parley/platform/ids';
import { oneAttempt } from '@parley/testing';
import { holdFiles, putFile } from '../../testing/files-bench.spec-setup.ts';
import { projectsOn } from '../../testing/project-bench.spec-setup.ts';
import { aViewer } from '../../testing/viewer.spec-setup.ts';
import { queueBench } from './queue-bench.spec-setup.ts';

const bench = await queueBench();
const { conversations, keeping, rows } = bench;
holdFiles(bench);
beforeAll(bench.ready);
const { service: projects, chats: moving } = projectsOn(bench);

const chatCount = 20;
const waitingInEach = 3;
const viewer = aViewer();

/** Creates a chat in the project, with queued questions that have a file each. */
async function aChat(projectId: ProjectId): Promise<{ id: ConversationId; fileIds: FileId[] }> {
  const { conversation, answer } = await bench.ask(viewer, { projectId });
  const fileIds: FileId[] = [];
  let parentId = answer.id;
  for (let at = 0; at < waitingInEach; at += 1) {
    const [fileId, ids] = [await putFile(bench, viewer), bench.ids()];
    const wish = { kind: 'question', messageId: newId('message'), parentId, text: `Herons ${at}?`, ...ids } as const;
    await bench.add(viewer, conversation.id, { ...wish, files: [{ id: fileId, use: 'auto' }] });
    parentId = ids.answerId;
    fileIds.push(fileId);
  }
  return { id: conversation.id, fileIds };
}

test('deletes the chats of a deleted project one by one, and continues after a process died', async () => {
  const { id: projectId } = await projects.create({
    ...viewer,
    body: { id: newId('project'), name: 'Storms' },
  } as never);
  const chats: Awaited<ReturnType<typeof aChat>>[] = [];
  for (let at = 0; at < chatCount; at += 1) chats.push(await aChat(projectId));
  await projects.delete({ ...viewer, params: { projectId }, query: { chats: 'delete' } } as never);

  // The end of each chat takes two transactions.
  let [steps, dieAt] = [0, 30];
  const begun = new Set<ConversationId>();
  keeping.whenDeleted({
    record: async (_scope, { conversation: { _id } }) => {
      steps += 1;
      if (steps === dieAt) throw new Error('The process dies.');
      const isMore = !begun.has(_id);
      begun.add(_id);
      return isMore;
    },
    apply: () => undefined,
  });
  const job = { ...moving, key: projectId };
  await expect(oneAttempt(bench, job)).rejects.toThrow('The process dies.');
  const stored = () => Promise.all(chats.map(async ({ id }) => (await conversations.find(viewer.scope, id))!));
  const kept = (await stored()).flatMap(({ isDeleted, projectId: id }) => [isDeleted, id === null]).filter(Boolean);
  expect(kept).toHaveLength(dieAt - 1);

  dieAt = Infinity;
  await oneAttempt(bench, job);
  const formerProject = { id: projectId, isDeleted: true };
  for (const chat of await stored())
    expect(chat).toMatchObject({ projectId: null, formerProject, isDeleted: true, queued: 0 });
  for (const { id, fileIds } of chats) {
    expect(await rows.list(viewer.scope, id)).toEqual([]);
    const told = (await bench.eventsOf(id)).map(({ type, data }) => [type, (data as { change?: string }).change]);
    for (const once of [
      ['conversation.changed.v1', 'deleted'],
      ['conversation.moved.v1', undefined],
    ])
      expect(told.filter((one) => one.join() === once.join())).toHaveLength(1);
    await keeping.restore({ ...viewer, params: { conversationId: id } } as never);
    const draft = await bench.draft(viewer, id);
    expect(draft).toMatchObject({ text: 'Herons 0?\n\nHerons 1?\n\nHerons 2?', files: fileIds });
  }
  expect((await projects.list({ ...viewer, query: { limit: 9 } } as never)).items).toEqual([]);
});
