import { afterEach, beforeAll, describe, expect, jest, test } from '@jest/globals';
import type { ReadProject } from '@parley/chat-exports';
import { quotaLimits, type ImportId } from '@parley/contracts';
import type { Viewer } from '../../conversations/index.ts';
import { importBench } from '../../testing/import-bench.spec-setup.ts';
import { aViewer } from '../../testing/viewer.spec-setup.ts';
import { aChat, aLine } from './chats.spec-setup.ts';

const bench = await importBench();
beforeAll(bench.ready);
const { checked, imported, conversationsOf, clock, projectsService: service } = bench;

afterEach(() => void Object.assign(bench.given, { source: 'chatgpt', projects: [], onChat: async () => undefined }));

const chatIn = (id: string, project: string | null, name: string | null = null) =>
  aChat(id, aLine(id, ['q', 'a']), { project: project === null ? null : { id: project, name } });
const projectsOf = async ({ scope, principal }: Viewer) =>
  (await bench.ownProjects.list(scope, principal.userId)).map(({ _id: id, name }) => ({ id, name }));
/** Titles of chats, each with the name of its project. */
async function placed(viewer: Viewer): Promise<Record<string, string | null>> {
  const names = new Map((await projectsOf(viewer)).map(({ id, name }) => [id, name]));
  const chats = await conversationsOf(viewer);
  return Object.fromEntries(chats.map(({ title, projectId }) => [title, (projectId && names.get(projectId)) ?? null]));
}
const lostOf = async (viewer: Viewer, id: ImportId) =>
  (await bench.lossesOf(viewer, id)).map(({ chatTitle, reason, name }) => [chatTitle, reason, name]);
const described = (sourceId: string, more: Partial<ReadProject> = {}): ReadProject => ({
  sourceId,
  name: `Project ${sourceId}`,
  instructions: '',
  chatbot: null,
  connections: [],
  isPinned: false,
  isArchived: false,
  createdAt: null,
  ...more,
});
const remove = async (viewer: Viewer, name: string) => {
  const found = (await projectsOf(viewer)).find((project) => project.name === name);
  await service.delete({ ...viewer, params: { projectId: found!.id }, query: {} } as never);
};

const archive = () => [chatIn('one', 'g-p-1'), chatIn('two', 'g-p-2'), chatIn('three', 'g-p-1'), chatIn('none', null)];

describe('projects of an export', () => {
  test('are reported with their chats, and come by the names that their person gives them', async () => {
    const viewer = aViewer();
    const id = await checked(viewer, archive());
    const { report } = await bench.read(viewer, id);
    const rest = { name: null, deletedChats: 0, hasInstructions: false, state: 'new' };
    expect(report!.projects).toEqual([
      { id: 'g-p-1', chats: 2, chatTitles: ['About one', 'About three'], ...rest },
      { id: 'g-p-2', chats: 1, chatTitles: ['About two'], ...rest },
    ]);
    const named = [
      { id: 'g-p-1', name: 'Herons' },
      { id: 'g-p-2', name: null },
    ];
    await bench.start(viewer, id, false, named);
    await bench.turn(viewer, id);
    expect(await projectsOf(viewer)).toMatchObject([{ name: 'Herons' }]);
    expect(await placed(viewer)).toEqual({
      'About one': 'Herons',
      'About two': null,
      'About three': 'Herons',
      'About none': null,
    });
    expect(await bench.read(viewer, id)).toMatchObject({ status: 'done', losses: 0 });
  });

  test('have the name of the export, else that of the product with a number', async () => {
    const viewer = aViewer();
    bench.given.source = 'open-webui';
    await imported(viewer, [chatIn('two', 'f2', 'Named there'), chatIn('one', 'f1')]);
    expect((await projectsOf(viewer)).map(({ name }) => name).toSorted()).toEqual([
      'Named there',
      'Open WebUI project 1',
    ]);
  });

  test('come once, however often they are imported; their new chats go into what is here', async () => {
    const viewer = aViewer();
    await imported(viewer, archive());
    const again = await checked(viewer, archive());
    expect((await bench.read(viewer, again)).report).not.toHaveProperty('projects');
    const first = (await projectsOf(viewer)).find(({ name }) => name === 'ChatGPT project 1');
    const revision = { revision: 1, name: 'Renamed here' };
    await service.update({ ...viewer, params: { projectId: first!.id }, body: revision } as never);
    const more = await checked(viewer, [...archive(), chatIn('four', 'g-p-1')]);
    expect((await bench.read(viewer, more)).report!.projects).toMatchObject([
      { id: 'g-p-1', chats: 1, state: 'here', project: { id: first!.id, name: 'Renamed here' } },
    ]);
    await bench.start(viewer, more);
    await bench.turn(viewer, more);
    expect(await projectsOf(viewer)).toHaveLength(2);
    expect(await placed(viewer)).toMatchObject({ 'About four': 'Renamed here' });
  });

  test('stay deleted where they were deleted here, unless they are named', async () => {
    const viewer = aViewer();
    await imported(viewer, [chatIn('one', 'g-p-1')], false, [{ id: 'g-p-1', name: 'Herons' }]);
    await remove(viewer, 'Herons');
    const second = await checked(viewer, [chatIn('two', 'g-p-1')]);
    expect((await bench.read(viewer, second)).report!.projects).toMatchObject([{ id: 'g-p-1', state: 'deleted' }]);
    await bench.start(viewer, second);
    await bench.turn(viewer, second);
    expect(await placed(viewer)).toMatchObject({ 'About two': null });
    await imported(viewer, [chatIn('three', 'g-p-1')], false, [{ id: 'g-p-1', name: 'Herons again' }]);
    expect(await placed(viewer)).toMatchObject({ 'About three': 'Herons again' });
  });

  test('are each person’s own, also where two import the same export', async () => {
    const one = aViewer();
    const other = aViewer(one.scope.orgId);
    for (const viewer of [one, other]) await imported(viewer, [chatIn('one', 'g-p-1')]);
    const [[mine], [theirs]] = [await projectsOf(one), await projectsOf(other)];
    expect(mine!.id).not.toBe(theirs!.id);
    expect([await placed(one), await placed(other)]).toEqual([
      { 'About one': 'ChatGPT project 1' },
      { 'About one': 'ChatGPT project 1' },
    ]);
  });

  test('get no more chats once they are deleted while the import runs, and the report says so', async () => {
    const viewer = aViewer();
    const id = await checked(viewer, archive());
    await bench.start(viewer, id, false, [{ id: 'g-p-1', name: 'Herons' }]);
    bench.given.onChat = async (at) => {
      if (at === 2) await remove(viewer, 'Herons');
    };
    await bench.turn(viewer, id);
    expect(await bench.read(viewer, id)).toMatchObject({ status: 'done', imported: { chats: 4 }, losses: 1 });
    expect(await lostOf(viewer, id)).toEqual([['About three', 'project-deleted', 'Herons']]);
    expect((await conversationsOf(viewer)).find(({ title }) => title === 'About three')).not.toHaveProperty(
      'projectId',
    );
  });

  test('above the quota leave their chats without one, and are listed by name', async () => {
    const viewer = aViewer();
    const most = quotaLimits.projects.ceiling;
    await bench.fillProjects(viewer, most - 1);
    const named = [
      { id: 'g-p-1', name: 'Fits' },
      { id: 'g-p-2', name: 'Does not fit' },
    ];
    const id = await imported(viewer, archive(), false, named);
    expect(await lostOf(viewer, id)).toEqual([['Does not fit', 'project-limit', null]]);
    expect(await placed(viewer)).toMatchObject({ 'About one': 'Fits', 'About two': null, 'About three': 'Fits' });
    expect(await projectsOf(viewer)).toHaveLength(most);
  });

  test('come with instructions and marks if its files describe them, also without a chat', async () => {
    const viewer = aViewer();
    bench.given.source = 'claude';
    bench.given.projects = [
      described('p1', { instructions: 'x'.repeat(8_001), isPinned: true, hasDescription: true }),
      described('p2', { chatbot: 'Handbook', isArchived: true }),
      described('p3', { instructions: '😀'.repeat(8_000) }),
    ];
    const id = await imported(viewer, [chatIn('one', null)]);
    const rows = await bench.ownProjects.list(viewer.scope, viewer.principal.userId);
    expect(
      rows
        .toSorted((one, other) => one.name.localeCompare(other.name))
        .map(({ name, instructions, isPinned, isArchived }) => [name, instructions.length, isPinned, isArchived]),
    ).toEqual([
      ['Project p1', 8_000, true, false],
      ['Project p2', 0, false, true],
      ['Project p3', 16_000, false, false],
    ]);
    expect(await lostOf(viewer, id)).toEqual([
      ['Project p1', 'instructions-cut', null],
      ['Project p1', 'project-description', null],
      ['Project p2', 'project-chatbot', 'Handbook'],
    ]);
    const again = await checked(viewer, [chatIn('one', null)]);
    expect((await bench.read(viewer, again)).report).not.toHaveProperty('projects');
  });

  test('become the importing person’s own from a colleague’s export', async () => {
    const colleague = aViewer();
    await imported(colleague, [chatIn('one', 'g-p-1')]);
    const [theirs] = await projectsOf(colleague);
    const viewer = aViewer(colleague.scope.orgId);
    bench.given.source = 'parley';
    await imported(viewer, [chatIn('one', theirs!.id, 'Theirs')]);
    const [mine] = await projectsOf(viewer);
    expect(mine).toMatchObject({ name: 'Theirs', id: expect.not.stringMatching(theirs!.id) });
    expect(await placed(viewer)).toEqual({ 'About one': 'Theirs' });
    expect(await projectsOf(colleague)).toHaveLength(1);
  });

  test('stay the existing ones if a person imports their own export', async () => {
    const viewer = aViewer();
    await imported(viewer, [chatIn('one', 'g-p-1')]);
    const [here] = await projectsOf(viewer);
    bench.given.source = 'parley';
    await imported(viewer, [chatIn('two', here!.id, 'As it was called')]);
    expect(await projectsOf(viewer)).toHaveLength(1);
    expect(await placed(viewer)).toEqual({ 'About one': 'ChatGPT project 1', 'About two': 'ChatGPT project 1' });
  });

  test('are not made once their person can’t create chats any more', async () => {
    const viewer = aViewer();
    bench.given.projects = [described('p1')];
    const id = await checked(viewer, archive());
    await bench.start(viewer, id);
    bench.org.refusal = 'org.membership-suspended';
    await bench.turn(viewer, id);
    bench.org.refusal = null;
    expect(await bench.read(viewer, id)).toMatchObject({ status: 'failed', failure: 'access-lost' });
    expect(await projectsOf(viewer)).toEqual([]);
  });

  test('beyond those that a report lists are counted and named, and their chats come without one', async () => {
    const viewer = aViewer();
    const many = Array.from({ length: 205 }, (_, at) => chatIn(`c${at}`, `f${at}`, `Folder ${at}`));
    const id = await checked(viewer, many);
    const { report } = await bench.read(viewer, id);
    expect(report!.projects).toHaveLength(200);
    expect(report!.others).toEqual([
      { kind: 'projects', count: 5, names: [200, 201, 202, 203, 204].map((at) => `Folder ${at}`) },
    ]);
  });

  test.each([1, 2, 3, 4, 5, 6, 7, 8])('come once if a worker is killed after its write %i', async (writes) => {
    const viewer = aViewer();
    const id = await checked(viewer, archive());
    await bench.start(viewer, id, false, [{ id: 'g-p-1', name: 'Herons' }]);
    let left = writes;
    const keep = bench.imports.keep.bind(bench.imports);
    const spy = jest.spyOn(bench.imports, 'keep').mockImplementation(async (...given) => {
      if (left <= 0) throw new Error('killed');
      left -= 1;
      return keep(...given);
    });
    await bench.turn(viewer, id).catch(() => undefined);
    spy.mockRestore();
    clock.advance(60_000);
    await bench.turn(viewer, id);
    expect((await projectsOf(viewer)).map(({ name }) => name).toSorted()).toEqual(['ChatGPT project 2', 'Herons']);
    expect(await placed(viewer)).toEqual({
      'About one': 'Herons',
      'About two': 'ChatGPT project 2',
      'About three': 'Herons',
      'About none': null,
    });
    expect(await bench.read(viewer, id)).toMatchObject({ status: 'done', losses: 0, imported: { chats: 4 } });
  });
});
