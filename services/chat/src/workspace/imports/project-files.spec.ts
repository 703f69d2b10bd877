import { afterEach, beforeAll, describe, expect, jest, test } from '@jest/globals';
import type { ProjectFile } from '@parley/chat-exports';
import { mostProjectFiles, permissionsOf, quotaLimits, type ImportId } from '@parley/contracts';
import type { Viewer } from '../../conversations/index.ts';
import { importBench } from '../../testing/import-bench.spec-setup.ts';
import { aViewer } from '../../testing/viewer.spec-setup.ts';
import { aChat, aFile, aLine } from './chats.spec-setup.ts';

const bench = await importBench();
beforeAll(bench.ready);
const { checked, imported, clock, given, org, projectFilesService: service } = bench;

const noFiles = { source: 'claude', projects: [], projectFiles: [], onFile: async () => undefined } as const;
afterEach(() => {
  Object.assign(given, noFiles);
  Object.assign(org, { rights: permissionsOf('member'), refusal: null });
});

const chats = () => [aChat('one', aLine('one', ['q', 'a']))];
const fileOf = (project: string, id: string, more: Partial<ProjectFile> = {}): ProjectFile => ({
  project,
  id,
  name: `${id}.md`,
  file: aFile(`${id}.md`, `Text of ${id}`),
  ...more,
});
const projectOf = (sourceId: string) => ({
  sourceId,
  name: `Project ${sourceId}`,
  instructions: '',
  chatbot: null,
  connections: [],
  isPinned: false,
  isArchived: false,
  createdAt: null,
});
/** From now on uploads are read as an export of Claude with these projects. */
function exportOf(projects: readonly string[], projectFiles: readonly ProjectFile[]): void {
  Object.assign(given, { source: 'claude', projects: projects.map(projectOf), projectFiles });
}
const manyOf = (project: string, count: number) =>
  Array.from({ length: count }, (_, at) => fileOf(project, `d${at + 1}`));

const projectsOf = ({ scope, principal }: Viewer) => bench.ownProjects.list(scope, principal.userId);
const firstProject = async (viewer: Viewer) => (await projectsOf(viewer))[0]!._id;
const filesOf = async (viewer: Viewer, projectId: string) =>
  (await service.list({ ...viewer, params: { projectId } } as never)).items;
/** Names of files by the name of their project. */
async function placed(viewer: Viewer): Promise<Record<string, string[]>> {
  const found: Record<string, string[]> = {};
  for (const { _id, name } of await projectsOf(viewer))
    found[name] = (await filesOf(viewer, _id)).map((file) => file.name);
  return found;
}
const lostOf = async (viewer: Viewer, id: ImportId) =>
  (await bench.lossesOf(viewer, id)).map(({ chatTitle, reason, name }) => [chatTitle, reason, name]);

describe('files of imported projects', () => {
  test('are counted by the check, come with their project, and are named in its report', async () => {
    const viewer = aViewer();
    exportOf(['p1', 'p2'], [fileOf('p1', 'd1'), fileOf('p1', 'd2'), fileOf('p2', 'd1')]);
    const id = await checked(viewer, chats());
    expect((await bench.read(viewer, id)).report).toMatchObject({
      projectFiles: { found: 3, toImport: 3 },
      projects: [
        { id: 'p1', files: 2 },
        { id: 'p2', files: 1 },
      ],
    });
    await bench.start(viewer, id);
    await bench.turn(viewer, id);
    expect(await bench.read(viewer, id)).toMatchObject({ status: 'done', losses: 0, imported: { chats: 1, files: 3 } });
    expect(await placed(viewer)).toEqual({ 'Project p1': ['d1.md', 'd2.md'], 'Project p2': ['d1.md'] });
    const [file] = await filesOf(viewer, await firstProject(viewer));
    expect(file).toMatchObject({ status: 'stored', mediaType: 'text/markdown', bytes: 10 });
  });

  test('come once, and one that was taken out stays out; what is new is added', async () => {
    const viewer = aViewer();
    exportOf(['p1'], [fileOf('p1', 'd1'), fileOf('p1', 'd2')]);
    await imported(viewer, chats());
    const projectId = await firstProject(viewer);
    const fileId = (await filesOf(viewer, projectId))[0]!.id;
    await service.remove({ ...viewer, params: { projectId, fileId } } as never);
    const again = await checked(viewer, chats());
    const { report } = await bench.read(viewer, again);
    expect(report).toMatchObject({ projectFiles: { found: 2, toImport: 0 } });
    expect(report).not.toHaveProperty('projects');
    exportOf(['p1'], [fileOf('p1', 'd1'), fileOf('p1', 'd2'), fileOf('p1', 'd3')]);
    const more = await checked(viewer, chats());
    expect((await bench.read(viewer, more)).report).toMatchObject({ projectFiles: { found: 3, toImport: 1 } });
    await bench.start(viewer, more);
    await bench.turn(viewer, more);
    expect(await bench.read(viewer, more)).toMatchObject({
      status: 'done',
      losses: 0,
      imported: { chats: 0, files: 1 },
    });
    expect(await placed(viewer)).toEqual({ 'Project p1': ['d2.md', 'd3.md'] });
  });

  test('come again with a project that was deleted here and is wanted again', async () => {
    const viewer = aViewer();
    exportOf(['p1'], [fileOf('p1', 'd1')]);
    await imported(viewer, chats());
    const projectId = await firstProject(viewer);
    await bench.projectsService.delete({ ...viewer, params: { projectId }, query: {} } as never);
    await imported(viewer, chats());
    expect(await placed(viewer)).toEqual({});
    await imported(viewer, chats(), false, [{ id: 'p1', name: 'Again' }]);
    expect(await placed(viewer)).toEqual({ Again: ['d1.md'] });
    expect(await projectsOf(viewer)).not.toMatchObject([{ _id: projectId }]);
  });

  test('are 20 at most; the others are named with the reason, also where the person has added some', async () => {
    const viewer = aViewer();
    exportOf(['p1'], manyOf('p1', mostProjectFiles + 2));
    const id = await checked(viewer, chats());
    expect((await bench.read(viewer, id)).report).toMatchObject({ projectFiles: { found: 22, toImport: 20 } });
    await bench.start(viewer, id);
    await bench.turn(viewer, id);
    expect((await placed(viewer))['Project p1']).toHaveLength(mostProjectFiles);
    expect(await lostOf(viewer, id)).toEqual([
      ['Project p1', 'project-files-full', 'd21.md'],
      ['Project p1', 'project-files-full', 'd22.md'],
    ]);
    expect(await bench.read(viewer, id)).toMatchObject({
      status: 'done',
      losses: 2,
      imported: { chats: 1, files: 20 },
    });
  });

  test('are named with the reason if they can’t be stored, and the others are imported', async () => {
    const viewer = aViewer();
    const failing = { ...aFile('d5.md', 'x'), open: async () => Promise.reject(new Error('unexpected')) };
    exportOf(
      ['p1'],
      [
        fileOf('p1', 'd1', { file: { ...aFile('d1.md', 'x'), bytes: 60_000_000 } }),
        fileOf('p1', 'd2', { file: 'file-too-large' }),
        fileOf('p1', 'd3', { file: 'file-empty' }),
        fileOf('p1', 'd4', { name: 'd4.exe', file: aFile('d4.exe', 'x') }),
        fileOf('p1', 'd5', { file: failing }),
        fileOf('p1', 'd6', { name: 'Panel.png', file: aFile('Panel.png', 'x') }),
        fileOf('p1', 'd7', { file: aFile('../../etc/d7.md', 'x') }),
      ],
    );
    const id = await checked(viewer, chats());
    await bench.start(viewer, id);
    for (let turns = 0; turns < 6; turns += 1) {
      await bench.turn(viewer, id).catch(() => undefined);
      clock.advance(120_000);
    }
    expect(await lostOf(viewer, id)).toEqual([
      ['Project p1', 'file-too-large', 'd1.md'],
      ['Project p1', 'file-too-large', 'd2.md'],
      ['Project p1', 'file-empty', 'd3.md'],
      ['Project p1', 'file-type-not-supported', 'd4.exe'],
      ['Project p1', 'internal', 'd5.md'],
      ['Project p1', 'file-type-not-supported', 'Panel.png'],
    ]);
    const [name = ''] = (await placed(viewer))['Project p1']!;
    expect(name).toMatch(/d7\.md$/);
    expect(name).not.toMatch(/[/\\]/);
    expect(await bench.read(viewer, id)).toMatchObject({ status: 'done', imported: { chats: 1, files: 1 } });
  });

  test('without room in the organisation are named, and the chats come all the same', async () => {
    const viewer = aViewer();
    const { usedBytes, quotaBytes } = await bench.quota.read(viewer.scope);
    const large = 'x'.repeat(quotaBytes - usedBytes - 100);
    exportOf(
      ['p1'],
      [fileOf('p1', 'd1', { file: aFile('d1.md', large) }), fileOf('p1', 'd2', { file: aFile('d2.md', large) })],
    );
    const id = await imported(viewer, chats());
    expect(await lostOf(viewer, id)).toEqual([['Project p1', 'over-quota', 'd2.md']]);
    expect(await bench.read(viewer, id)).toMatchObject({ status: 'done', imported: { chats: 1, files: 1 } });
    expect(await placed(viewer)).toEqual({ 'Project p1': ['d1.md'] });
  });

  test('aren’t stored for a project that is left out, or above the quota', async () => {
    const viewer = aViewer();
    await bench.fillProjects(viewer, quotaLimits.projects.ceiling);
    exportOf(['p1', 'p2'], [fileOf('p1', 'd1'), fileOf('p2', 'd1')]);
    const id = await imported(viewer, chats(), false, [{ id: 'p1', name: null }]);
    expect(await lostOf(viewer, id)).toEqual([['Project p2', 'project-limit', null]]);
    expect(await bench.read(viewer, id)).toMatchObject({ status: 'done', imported: { files: 0 } });
    expect(await bench.used(viewer)).toBe(0);
  });

  test('are named if their project is deleted while they come', async () => {
    const viewer = aViewer();
    exportOf(['p1'], manyOf('p1', 3));
    const id = await checked(viewer, chats());
    await bench.start(viewer, id);
    given.onFile = async (at) => {
      if (at !== 1) return;
      const projectId = await firstProject(viewer);
      await bench.projectsService.delete({ ...viewer, params: { projectId }, query: {} } as never);
    };
    await bench.turn(viewer, id);
    expect(await lostOf(viewer, id)).toEqual([
      ['Project p1', 'file-without-project', 'd2.md'],
      ['Project p1', 'file-without-project', 'd3.md'],
    ]);
    expect(await bench.read(viewer, id)).toMatchObject({ status: 'done', imported: { chats: 1, files: 1 } });
  });

  test('end with the rights of their person', async () => {
    const viewer = aViewer();
    exportOf(['p1'], manyOf('p1', 3));
    const id = await checked(viewer, chats());
    await bench.start(viewer, id);
    given.onFile = async (at) => {
      if (at === 1) org.refusal = 'org.membership-suspended';
    };
    await bench.turn(viewer, id);
    expect(await bench.read(viewer, id)).toMatchObject({ status: 'failed', failure: 'access-lost' });
    expect(await placed(viewer)).toEqual({ 'Project p1': ['d1.md'] });
  });

  test('stay when the chats of their import are deleted', async () => {
    const viewer = aViewer();
    exportOf(['p1'], [fileOf('p1', 'd1')]);
    const id = await imported(viewer, chats());
    await bench.all.delete(viewer, id);
    expect(await placed(viewer)).toEqual({ 'Project p1': ['d1.md'] });
  });

  test('wait while their import is paused, and go on', async () => {
    const viewer = aViewer();
    exportOf(['p1'], manyOf('p1', 3));
    const id = await checked(viewer, chats());
    await bench.start(viewer, id);
    given.onFile = async (at) => void (at === 1 && (await bench.pause(viewer, id)));
    await bench.turn(viewer, id);
    expect(await bench.read(viewer, id)).toMatchObject({ status: 'paused', imported: { chats: 0, files: 2 } });
    given.onFile = async () => undefined;
    await bench.resume(viewer, id);
    await bench.turn(viewer, id);
    expect(await bench.read(viewer, id)).toMatchObject({ status: 'done', imported: { chats: 1, files: 3 } });
    expect((await placed(viewer))['Project p1']).toHaveLength(3);
  });

  test.each([1, 2, 3, 4, 5, 6, 7, 8, 9, 10])('come once if a worker is killed after its write %i', async (writes) => {
    const viewer = aViewer();
    exportOf(['p1', 'p2'], [...manyOf('p1', 2), fileOf('p2', 'd1'), fileOf('p2', 'd2', { file: 'file-empty' })]);
    const id = await checked(viewer, chats());
    await bench.start(viewer, id);
    let left = writes;
    const keep = bench.imports.keep.bind(bench.imports);
    const spy = jest.spyOn(bench.imports, 'keep').mockImplementation(async (...changed) => {
      if (left <= 0) throw new Error('killed');
      left -= 1;
      return keep(...changed);
    });
    await bench.turn(viewer, id).catch(() => undefined);
    spy.mockRestore();
    clock.advance(60_000);
    await bench.turn(viewer, id);
    expect(await placed(viewer)).toEqual({ 'Project p1': ['d1.md', 'd2.md'], 'Project p2': ['d1.md'] });
    expect(await lostOf(viewer, id)).toEqual([['Project p2', 'file-empty', 'd2.md']]);
    expect(await bench.read(viewer, id)).toMatchObject({ status: 'done', losses: 1, imported: { chats: 1, files: 3 } });
    expect(await bench.used(viewer)).toBe(30);
  });
});
