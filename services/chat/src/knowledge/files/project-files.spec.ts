import { beforeAll, describe, expect, test } from '@jest/globals';
import type { ProjectId } from '@parley/contracts';
import { newId } from '@parley/platform/ids';
import { TestJobs } from '@parley/testing';
import type { Viewer } from '../../conversations/index.ts';
import { ProjectChats } from '../../conversations/project-chats.ts';
import { ProjectEraser } from '../../conversations/project-eraser.ts';
import { eraseProject, moveProjectChats } from '../../conversations/project-jobs.ts';
import { ProjectsService } from '../../conversations/projects.service.ts';
import { filesBench } from '../../testing/files-bench.spec-setup.ts';
import { aViewer } from '../../testing/viewer.spec-setup.ts';

const bench = await filesBench();
const { mongo, work, clock, projects: doors, conversations, keeping, drafts } = bench;
beforeAll(bench.ready);
const service = new ProjectsService(mongo, doors, work, clock);
const chats = new ProjectChats(mongo, conversations, keeping, work, clock);
const runJobs = () =>
  new TestJobs(bench)
    .with(moveProjectChats, chats)
    .with(eraseProject, new ProjectEraser(mongo, drafts, work))
    .run();

const keptMs = 7 * 86_400_000;
const nothingLeft = { row: false, passages: 0, file: false };
const create = async (viewer: Viewer): Promise<ProjectId> =>
  (await service.create({ ...viewer, body: { id: newId('project'), name: 'Substation 14 refit' } } as never)).id;
const remove = (viewer: Viewer, projectId: ProjectId) =>
  service.delete({ ...viewer, params: { projectId }, query: {} } as never);
const restore = (viewer: Viewer, projectId: ProjectId) =>
  service.restore({ ...viewer, params: { projectId } } as never);
/** Erases what nothing refers to any more. */
async function eraseFiles(): Promise<void> {
  clock.advance(bench.keepUnusedMs);
  await bench.eraseFiles();
}

describe('the draft of a project', () => {
  test('is kept with its files while the project can be restored, and goes with it', async () => {
    const viewer = aViewer();
    const id = await create(viewer);
    const fileId = await bench.readyFile(viewer, ['Thirty herons.']);
    await bench.draft(viewer, { text: 'What of the herons?', files: [fileId] }, id);
    await remove(viewer, id);
    await runJobs();
    await eraseFiles();
    await restore(viewer, id);
    await runJobs();
    expect(await bench.readDraft(viewer, id)).toMatchObject({ text: 'What of the herons?', files: [fileId] });
    await remove(viewer, id);
    await runJobs();
    clock.advance(keptMs);
    await runJobs();
    await eraseFiles();
    expect(await bench.readDraft(viewer, id)).toEqual({ text: '', revision: 0, others: [] });
    expect(await bench.left(viewer, fileId)).toEqual(nothingLeft);
    expect(await bench.used(viewer)).toBe(0);
  });
});
