import { describe, expect, test } from '@jest/globals';
import {
  allOf,
  contentOf,
  open,
  png,
  projectFilesOf,
  readAll,
  readOne,
  refusalOf,
  zipOf,
} from '../fixtures.spec-setup.ts';

type Json = Readonly<Record<string, unknown>>;
const time = '2026-10-01T08:00:00.000Z';
const said = (
  id: string,
  parentId: string | null,
  role: 'person' | 'assistant',
  text: string,
  more: Json = {},
): Json => ({ id, parentId, role, text, createdAt: time, files: [], ...more });
const chat = (more: Json = {}): Json => ({
  format: 'parley-chat',
  version: 1,
  id: 'cnv_1',
  title: 'A chat',
  createdAt: time,
  lastActivityAt: time,
  pinned: true,
  archived: false,
  openMessageId: 'msg_2',
  messages: [
    said('msg_1', null, 'person', '  Kept as it is\n', {
      files: [
        { id: 'fil_1', name: 'cat.png', mediaType: 'image/png', bytes: png.length, path: 'files/fil_1/cat.png' },
        { id: 'fil_2', name: 'gone.pdf', mediaType: 'application/pdf', bytes: 5, path: null },
      ],
    }),
    said('msg_2', 'msg_1', 'assistant', 'One', { model: 'gpt-5', citations: [] }),
    said('msg_3', 'msg_1', 'assistant', '', { chatbot: 'Helper' }),
    said('msg_4', 'msg_3', 'person', 'Again'),
  ],
  ...more,
});
const index = { format: 'parley-export', version: 1, exportedAt: time, chats: 1, files: 1 };

describe("Parley's own export", () => {
  test('gives the same tree back, with empty answers, files, pin and the branch that was open', async () => {
    const found = await readOne(
      zipOf({
        'parley-export.json': index,
        'chats/cnv_1.json': chat(),
        'chats/a-chat-1.md': '# A chat',
        'files/fil_1/cat.png': png,
        'files/fil_3/other.json': chat({ id: 'cnv_attached' }),
      }),
    );
    expect(found).toMatchObject({ sourceId: 'cnv_1', openId: 'msg_2', isPinned: true, isArchived: false });
    expect(
      found.messages.map(({ sourceId, parentId, role, text, model }) => [sourceId, parentId, role, text, model]),
    ).toEqual([
      ['msg_1', null, 'person', '  Kept as it is\n', null],
      ['msg_2', 'msg_1', 'assistant', 'One', 'gpt-5'],
      ['msg_3', 'msg_1', 'assistant', '', null],
      ['msg_4', 'msg_3', 'person', 'Again', null],
    ]);
    expect(found.messages[0]?.files.map(({ name }) => name)).toEqual(['cat.png']);
    expect(await contentOf(found.messages[0]!.files[0]!)).toBe(png.toString());
    expect(found.losses).toEqual([{ messageId: 'msg_1', what: 'file-not-in-export', name: 'gone.pdf' }]);
  });

  test('can be one chat, without its files', async () => {
    const { losses } = await readOne(chat());
    expect(losses.map(({ what, name }) => [what, name])).toEqual([
      ['file-not-in-export', 'gone.pdf'],
      ['file-not-in-export', 'cat.png'],
    ]);
  });

  test('keeps how answers ended, their chatbots and sources, and leaves out what is none', async () => {
    const cited = { number: 1, documentId: `doc_${'1'.repeat(26)}`, chunkId: `chk_${'2'.repeat(26)}` };
    const source = { ...cited, documentName: 'Leave.pdf', heading: null, place: { kind: 'page', number: 3 } };
    const answer = (id: string, more: Json) => said(id, 'msg_1', 'assistant', id, more);
    const found = await readOne(
      chat({
        messages: [
          said('msg_1', null, 'person', 'Q'),
          answer('done', { chatbot: 'Handbook', model: 'gpt-5', citations: [source, { number: 2 }, 'x'] }),
          answer('stopped', { state: 'stopped' }),
          answer('failed', { state: 'failed', failure: 'provider-stalled' }),
          answer('odd', { state: 'failed', failure: 'no such failure' }),
          answer('unfinished', { unfinished: true }),
          answer('unknown', { state: 'whatever' }),
          answer('of every object', { state: 'constructor' }),
        ],
      }),
    );
    const rest = { chatbot: null, citations: [] };
    expect(found.messages.map(({ exported }) => exported)).toEqual([
      null,
      { state: 'done', failure: null, chatbot: 'Handbook', citations: [source] },
      { state: 'stopped', failure: null, ...rest },
      { state: 'failed', failure: 'provider-stalled', ...rest },
      { state: 'failed', failure: 'internal', ...rest },
      { state: 'interrupted', failure: null, ...rest },
      { state: 'done', failure: null, ...rest },
      { state: 'done', failure: null, ...rest },
    ]);
  });

  test('keeps the chat that another one was branched off from if it is in the archive', async () => {
    const from = { chatId: 'cnv_1', messageId: 'msg_2' };
    const branch = chat({ id: 'cnv_2', branchedFrom: from });
    expect(await readOne(branch)).toMatchObject({ branchedFrom: null });
    const both = zipOf({ 'chats/cnv_2.json': branch, 'chats/cnv_1.json': chat(), 'parley-export.json': index });
    const origins = (await readAll(both)).map((each) => each.kind === 'chat' && [each.sourceId, each.branchedFrom]);
    expect(Object.fromEntries(origins as [string, unknown][])).toEqual({ cnv_1: null, cnv_2: from });
  });

  test('describes its projects, which a file that somebody sent never does', async () => {
    const birds = {
      id: 'prj_1',
      name: 'Birds',
      instructions: ' Be exact.\n',
      chatbot: 'Handbook',
      pinned: true,
      createdAt: time,
      connections: ['Uploads', ' ', 'Wiki'],
      files: [
        { id: 'fil_2', name: 'Plan.md', mediaType: 'text/markdown', bytes: 6, path: 'files/fil_2/Plan.md' },
        { id: 'fil_3', name: '../Gone.md', mediaType: 'text/markdown', bytes: 6, path: null },
        { id: 'fil_4', name: 'Run.exe', mediaType: 'application/x-msdownload', bytes: 1, path: 'files/fil_4/Run.exe' },
      ],
    };
    const file = (all: object[]) => ({ format: 'parley-projects', version: 1, projects: all });
    const opened = await open(
      zipOf({
        'parley-export.json': index,
        'chats/cnv_1.json': chat({ project: { id: 'prj_1', name: 'Birds' } }),
        'projects.json': file([birds, { id: 'prj_2', name: ' ', archived: true }, birds, { name: 'No id' }]),
        'files/fil_1/projects.json': file([{ id: 'prj_3', name: 'Sent' }]),
        'files/fil_2/Plan.md': '# Plan',
        'files/fil_4/Run.exe': 'x',
      }),
    );
    expect(await allOf(opened)).toMatchObject([{ project: { id: 'prj_1', name: 'Birds' } }]);
    expect(await opened.projects()).toEqual([
      {
        sourceId: 'prj_1',
        name: 'Birds',
        instructions: ' Be exact.\n',
        chatbot: 'Handbook',
        connections: ['Uploads', '', 'Wiki'],
        isPinned: true,
        isArchived: false,
        createdAt: new Date(time),
      },
      {
        sourceId: 'prj_2',
        name: null,
        instructions: '',
        chatbot: null,
        connections: [],
        isPinned: false,
        isArchived: true,
        createdAt: null,
      },
    ]);
    expect(await projectFilesOf(opened)).toEqual([
      ['prj_1', 'fil_2', 'Plan.md', '# Plan'],
      ['prj_1', 'fil_3', 'Gone.md', 'file-not-in-export'],
      ['prj_1', 'fil_4', 'Run.exe', 'file-type-not-supported'],
    ]);
  });

  const projectsFile = {
    format: 'parley-projects',
    version: 1,
    projects: [{ id: 'prj_1', name: 'Birds' }, { name: 'No id' }],
  };
  const exportWith = (projects: unknown) =>
    zipOf({ 'parley-export.json': index, 'chats/cnv_1.json': chat(), 'projects.json': projects });

  test.each([
    ['is cut', JSON.stringify(projectsFile).slice(0, -30), [], 'projects.json'],
    ['is empty', '', [], 'projects.json'],
    ['lists one that can’t be read', projectsFile, ['prj_1'], 'No id'],
  ])('reports which projects are missing if the export’s projects.json %s', async (_, content, ids, name) => {
    const opened = await open(exportWith(content));
    await allOf(opened);
    expect((await opened.projects()).map(({ sourceId }) => sourceId)).toEqual(ids);
    expect(await opened.others()).toEqual([{ kind: 'missing-parts', count: 1, names: [name] }]);
  });

  test('of a newer version is refused, an empty one is not', async () => {
    expect(await refusalOf(chat({ version: 2 }))).toBe('newer-version');
    expect(await refusalOf(zipOf({ 'parley-export.json': { ...index, version: 2 } }))).toBe('newer-version');
    expect(await refusalOf(exportWith({ ...projectsFile, version: 2 }))).toBe('newer-version');
    expect(await readAll(zipOf({ 'parley-export.json': { ...index, chats: 0 } }))).toEqual([]);
  });
});
