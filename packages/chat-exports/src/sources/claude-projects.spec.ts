import { describe, expect, test } from '@jest/globals';
import { limits } from '@parley/contracts';
import { openAll, projectFilesOf, upload, zipOf } from '../fixtures.spec-setup.ts';

const chats = [{ uuid: 'c', name: 'C', chat_messages: [{ uuid: 'q', sender: 'human', text: 'Q' }] }];
const docOf = (uuid: string, filename: string, content: unknown) => ({ uuid, filename, content });
const projectOf = (uuid: string, docs: readonly object[], more: object = {}) => ({
  uuid,
  name: `Project ${uuid}`,
  prompt_template: 'Be "exact": [1], {2}.\\',
  ...more,
  docs,
  created_at: '2026-03-01T00:00:00Z',
});
const openWith = (parts: Record<string, unknown>, chunkBytes?: number) =>
  openAll([upload(zipOf({ 'conversations.json': chats, ...parts }, 0), 'claude.zip', chunkBytes)]);

describe('files of projects in an export of Claude', () => {
  test('come each once as texts under safe names, also where two files describe the project', async () => {
    const one = projectOf('p1', [
      docOf('d1', 'Herons.md', '# Herons\n\n"Quiet", says \\she\\: ]}'),
      docOf('d2', '../../etc/report.pdf', 'Thirty.'),
      docOf('d3', '', 'Without a name'),
    ]);
    const opened = await openWith({
      'projects.json': [one, projectOf('p2', [docOf('d1', 'Storks.csv', 'a,b')], { description: 'Of storks' })],
      'projects/p1.json': one,
    });
    const files = [
      ['p1', 'd1', 'Herons.md', '# Herons\n\n"Quiet", says \\she\\: ]}'],
      ['p1', 'd2', 'report.pdf.txt', 'Thirty.'],
      ['p1', 'd3', 'File 3.txt', 'Without a name'],
      ['p2', 'd1', 'Storks.csv', 'a,b'],
    ];
    expect(await projectFilesOf(opened)).toEqual(files);
    expect(await projectFilesOf(opened, 2)).toEqual(files.slice(2));
    expect(await opened.projects()).toMatchObject([
      { sourceId: 'p1', instructions: 'Be "exact": [1], {2}.\\', createdAt: new Date('2026-03-01T00:00:00Z') },
      { sourceId: 'p2', hasDescription: true },
    ]);
  });

  test.each([1, 2, 3, 7, 64])('are found in chunks of %i bytes, before the id of their project', async (chunkBytes) => {
    const late = {
      docs: [docOf('d', 'ü\\"docs":[.md', 'Größe: "docs": [{}], \\\\'), [1], 'text'],
      uuid: 'p',
      name: 'P',
    };
    const content = Buffer.from(`\uFEFF \n[${JSON.stringify({ note: 'docs', docs: {} })}, 7, ${JSON.stringify(late)}]`);
    const opened = await openAll([
      upload({ ...chats[0] }, 'conversations.json'),
      upload(content, 'projects.json', chunkBytes),
    ]);
    expect(await projectFilesOf(opened)).toEqual([
      ['p', 'd', '"docs":[.md', 'Größe: "docs": [{}], \\\\'],
      ['p', '2', 'File 2.txt', 'file-not-in-export'],
    ]);
  });

  test('are named with the reason if they are empty, too large or no texts, and the others are imported', async () => {
    const many = 'x'.repeat(60 * 1024 ** 2);
    const huge = 'y'.repeat(70 * 1024 ** 2);
    const opened = await openWith({
      'projects/p1.json': projectOf('p1', [
        docOf('d1', 'Many.txt', many),
        docOf('d2', 'Huge.txt', huge),
        docOf('d3', 'Empty.md', ' \n'),
        docOf('d4', 'None.md', null),
        docOf('d5', 'Small.md', 'Small'),
        docOf('d6', 'Most.md', 'z'.repeat(limits.chatFileBytes)),
      ]),
    });
    const found = await projectFilesOf(opened);
    expect(found.map(([, id, name, content]) => [id, name, content!.length > 100 ? content!.length : content])).toEqual(
      [
        ['d1', 'Many.txt', 'file-too-large'],
        ['d2', 'Huge.txt', 'file-too-large'],
        ['d3', 'Empty.md', 'file-empty'],
        ['d4', 'None.md', 'file-not-in-export'],
        ['d5', 'Small.md', 'Small'],
        ['d6', 'Most.md', limits.chatFileBytes],
      ],
    );
    expect(await opened.projects()).toMatchObject([{ sourceId: 'p1', name: 'Project p1' }]);
  });

  test('aren’t those of Claude’s own projects, and end where the file is cut', async () => {
    const whole = JSON.stringify([
      projectOf('p1', [docOf('d1', 'Kept.md', 'Kept')]),
      projectOf('p2', [docOf('d2', 'Cut.md', 'Cut')]),
    ]);
    const cut = whole.slice(0, whole.indexOf('Cut.md'));
    const given = projectOf('p0', [docOf('d0', 'Given.md', 'Given')], { is_starter_project: true });
    const opened = await openWith({ 'projects/p0.json': given, 'projects.json': cut });
    expect(await projectFilesOf(opened)).toEqual([['p1', 'd1', 'Kept.md', 'Kept']]);
    expect(await opened.projects()).toMatchObject([{ sourceId: 'p1' }]);
  });

  test('end where a person stops the import', async () => {
    const stopping = new AbortController();
    const archive = zipOf({
      'conversations.json': chats,
      'projects.json': [projectOf('p', [docOf('d', 'A.md', 'A')])],
    });
    const opened = await openAll([upload(archive)], { signal: stopping.signal });
    stopping.abort(new Error('stopped'));
    await expect(projectFilesOf(opened)).rejects.toThrow('stopped');
  });
});

describe('projects of Claude that can’t be read', () => {
  const three = JSON.stringify(['p1', 'p2', 'p3'].map((id) => projectOf(id, [docOf('d', 'Plan.md', 'Plan')])));
  const othersOf = async (content: unknown, path = 'projects.json') => {
    const opened = await openWith({ [path]: content });
    const projects = await opened.projects();
    return { ids: projects.map(({ sourceId }) => sourceId), others: await opened.others() };
  };
  const missing = (name: string) => [{ kind: 'missing-parts', count: 1, names: [name] }];

  test.each([
    ['is cut near its end', three.slice(0, -150), ['p1', 'p2']],
    ['is cut near its beginning', three.slice(0, 60), []],
    ['is empty', '', []],
    ['is no JSON', 'not json at all', []],
  ])('are told by the name of their file if it %s', async (_, content, ids) => {
    expect(await othersOf(content)).toEqual({ ids, others: missing('projects.json') });
    expect((await othersOf(content, 'projects/p1.json')).others).toEqual(missing('projects/p1.json'));
  });

  test('are told by name where the rest of their file can be read', async () => {
    const large = JSON.stringify({ uuid: 'p2', name: 'Large', prompt_template: 'x'.repeat(33 * 1024 ** 2) });
    const content = `[${JSON.stringify(projectOf('p1', []))},${large},{"uuid":"p3","name":"Torn",nothing},{nothing}]`;
    expect(await othersOf(content)).toEqual({
      ids: ['p1'],
      others: [{ kind: 'missing-parts', count: 3, names: ['Large', 'Torn', 'projects.json'] }],
    });
  });

  test.each([
    ['an empty list', []],
    ['Claude’s own project', [projectOf('s', [], { is_starter_project: true })]],
  ])('are not reported as lost if the file is %s', async (_, content) => {
    expect(await othersOf(content)).toEqual({ ids: [], others: [] });
  });
});
