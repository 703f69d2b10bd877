import { beforeAll, describe, expect, jest, test } from '@jest/globals';
import type { ProjectId } from '@parley/contracts';
import { oneAttempt } from '@parley/testing';
import { projectBench, projectsOn } from '../testing/project-bench.spec-setup.ts';
import { aViewer } from '../testing/viewer.spec-setup.ts';
import type { Viewer } from './access.ts';

const bench = await projectBench();
const { clock, create, listProjects, removeProject, restoreProject, runJobs } = bench;
beforeAll(bench.ready);

const dayMs = 86_400_000;

describe('a deleted project', () => {
  /** Returns the ids of projects that can be restored, read in pages of one. */
  async function deleted(viewer: Viewer, cursor?: string): Promise<ProjectId[]> {
    const page = await listProjects(viewer, { only: 'deleted', limit: 1, cursor });
    const ids = page.items.map(({ id }) => id);
    return page.nextCursor ? [...ids, ...(await deleted(viewer, page.nextCursor))] : ids;
  }

  test('lists a deleted project for seven days among those that can be restored, last deleted first', async () => {
    const viewer = aViewer();
    const [first, second] = [await create(viewer), await create(viewer), await create(viewer)];
    await removeProject(viewer, first);
    clock.advance(1_000);
    await removeProject(viewer, second);
    expect(await deleted(viewer)).toEqual([second, first]);
    await runJobs();
    expect(await deleted(viewer)).toEqual([second, first]);
    expect(await deleted(aViewer(viewer.scope.orgId))).toEqual([]);
    const [shown] = (await listProjects(viewer, { only: 'deleted', limit: 1 })).items;
    const { at, eraseAt } = shown!.deleted!;
    expect(Date.parse(eraseAt) - Date.parse(at)).toBe(7 * dayMs);
    await restoreProject(viewer, second);
    expect(await deleted(viewer)).toEqual([first]);
    clock.advance(7 * dayMs);
    expect(await deleted(viewer)).toEqual([]);
  });

  test('lets a running answer end in its chat, which is then outside of projects', async () => {
    const viewer = aViewer();
    const id = await create(viewer);
    await bench.update(viewer, id, { instructions: 'Name the drawing.' });
    const asked = await bench.ask(viewer, { projectId: id });
    const inProject = async () => (await bench.conversations.find(viewer.scope, asked.conversation.id))?.projectId;
    await removeProject(viewer, id);
    const { instructions } = await bench.prepare.prepare(await bench.find(viewer, asked));
    expect(instructions).not.toContain('Name the drawing.');
    await runJobs();
    expect(await bench.end(viewer, asked)).not.toBeNull();
    expect(await bench.find(viewer, asked)).toMatchObject({ status: 'done' });
    expect(await inProject()).toBeNull();
    await restoreProject(viewer, id);
    expect(await inProject()).toBe(id);
  });

  test('comes back with its first chats at once, and with the others soon after', async () => {
    const viewer = aViewer();
    const id = await create(viewer);
    for (let at = 0; at < 21; at += 1) await bench.ask(viewer, { projectId: id });
    const count = async () => (await bench.readProject(viewer, id)).chats;
    for (const areOut of [false, true]) {
      await removeProject(viewer, id);
      if (areOut) await runJobs();
      await restoreProject(viewer, id);
      expect(await count()).toBeGreaterThanOrEqual(20);
      await runJobs();
      expect(await count()).toBe(21);
    }
  });

  test('comes back with chats that leave it while it is restored', async () => {
    const viewer = aViewer();
    const id = await create(viewer);
    for (let at = 0; at < 3; at += 1) await bench.ask(viewer, { projectId: id });
    await removeProject(viewer, id, { chats: 'delete' });
    const { job, runner } = projectsOn(bench).chats;
    const inParts: typeof runner.run = (input, run) =>
      runner.run(input, Object.create(run, { shouldMakeRoom: { value: true } }) as typeof run);
    const moveOne = () => oneAttempt(bench, { job, key: id, runner: { run: inParts } });
    await moveOne();
    const restore = bench.conversations.restore.bind(bench.conversations);
    jest.spyOn(bench.conversations, 'restore').mockImplementationOnce(async (...call) => {
      await moveOne();
      return restore(...call);
    });
    await restoreProject(viewer, id);
    expect((await bench.readProject(viewer, id)).chats).toBeLessThan(3);
    await runJobs();
    expect((await bench.readProject(viewer, id)).chats).toBe(3);
  });

  test('records an event when an empty project is no longer being deleted', async () => {
    const viewer = aViewer();
    const id = await create(viewer);
    await removeProject(viewer, id);
    const changes = async () =>
      (await bench.recorded())
        .filter(({ subject }) => subject === id)
        .map(({ data }) => (data as { change: string }).change);
    expect(await changes()).toEqual(['created', 'deleted']);
    await runJobs();
    expect(await changes()).toEqual(['created', 'deleted', 'updated']);
  });
});
