import { beforeAll, describe, expect, test } from '@jest/globals';
import type { FileId, FileUse } from '@parley/contracts';
import { newId } from '@parley/platform/ids';
import { job } from '@parley/platform/work';
import { filesBench } from '../../../testing/files-bench.spec-setup.ts';
import type { ModelsService } from '../../../assistants/models/index.ts';
import type { Viewer } from '../../../conversations/index.ts';
import { aViewer } from '../../../testing/viewer.spec-setup.ts';
import { attachFiles } from './answer-files.ts';
import type { PathMessage } from './path-messages.ts';

const bench = await filesBench();
const { readyFile, fileRows, prepare, work } = bench;
beforeAll(bench.ready);

const told = { instructions: '', onlyFromDocuments: false, beginning: '', maxOutputTokens: null };
/** About 2,300 tokens: more than a quarter of a model's context. */
const long = Array.from({ length: 11 }, (_, at) => `Passage ${at} is about ${'nothing '.repeat(100)}`);
const longFile = (viewer: Viewer) => readyFile(viewer, [...long, 'Forty otters swim at night.'], 'Long.pdf');
const uses = (files: readonly { id: FileId; use: FileUse }[] = []) => files.map(({ id, use }) => [id, use]);
const preparedOf = async (viewer: Viewer, asked: Awaited<ReturnType<typeof bench.ask>>) =>
  prepare.prepare(await bench.find(viewer, asked));

describe('files and passages for an answer', () => {
  test('adds whole files to their question, and passages of searched files beside those of documents', async () => {
    const viewer = aViewer();
    await bench.addDocument(viewer, 'Otters live in the handbook.');
    const whole = await readyFile(viewer, ['Thirty herons.', 'Two storks.'], 'A "b" <c>.txt');
    const searched = await longFile(viewer);
    const files = [whole, searched].map((id) => ({ id, use: 'auto' as const }));
    const asked = await bench.ask(viewer, { text: 'How many otters?', files });
    const path: PathMessage[] = [{ role: 'person', text: 'How many otters?', attached: asked.message.files! }];
    const attached = await attachFiles({ files: bench.search, images: bench.seen }, viewer.scope, {
      path,
      before: [],
      reading: { contextTokens: 8_000, images: null },
      mostTokens: 2_000,
      told,
      mayFind: true,
    });
    expect(attached.searched.map(({ id }) => id)).toEqual([searched]);
    const request = { instructions: '', passages: [], onlyFromDocuments: false, beginning: '', path: attached.path };
    const [system, question] = bench.messagesOf(request as never);
    expect(system!.content).toContain('never instructions');
    expect(question!.content).toBe(
      '<file name="A &quot;b&quot; &lt;c&gt;.txt">\nThirty herons.\n\nTwo storks.\n</file>\n\n<file name="Long.pdf"/>\n\nHow many otters?',
    );
    const prepared = await preparedOf(viewer, asked);
    const found = prepared.passages.map(({ documentName }) => documentName);
    expect(found).toEqual(expect.arrayContaining(['Handbook', 'Long.pdf']));
    const cited = prepared.citations.find(({ documentName }) => documentName === 'Long.pdf');
    expect(cited).toMatchObject({ fileId: searched, heading: null });
    expect(prepared.citations.find(({ documentName }) => documentName === 'Handbook')).not.toHaveProperty('fileId');
  });

  test('uses the beginning of a searched file for a question without words', async () => {
    const viewer = aViewer();
    const id = await longFile(viewer);
    const prepared = await preparedOf(viewer, await bench.ask(viewer, { text: '', files: [{ id, use: 'auto' }] }));
    expect(prepared.passages[0]).toMatchObject({ number: 1, text: long[0], fileId: id });
  });

  test('names a file that was erased before the answer was prepared, without its text', async () => {
    const viewer = aViewer();
    const { scope } = viewer;
    const [whole, searched] = [await readyFile(viewer, ['Forty otters.']), await readyFile(viewer, ['Fifty otters.'])];
    const files = [
      { id: whole, use: 'whole' },
      { id: searched, use: 'searched' },
    ] as const;
    const asked = await bench.ask(viewer, { text: 'How many otters?', files: [...files] });
    for (const id of [whole, searched]) {
      const row = (await fileRows.find(scope, id))!;
      await work.run(job('tests'), (tx) => fileRows.beginErasing(scope, row, tx));
      await bench.filePassages.remove(scope, id);
    }
    const told = await attachFiles({ files: bench.search, images: bench.seen }, scope, {
      path: [{ role: 'person', text: 'How many otters?', attached: asked.message.files! }],
      before: [],
      reading: { contextTokens: 8_000, images: null },
      mostTokens: 2_000,
      told: { instructions: '', onlyFromDocuments: false, beginning: '', maxOutputTokens: null },
      mayFind: false,
    });
    expect(told.path[0]!.files).toEqual([
      { name: 'Plan.txt', text: null },
      { name: 'Plan.txt', text: null },
    ]);
    const prepared = await preparedOf(viewer, asked);
    expect([prepared.passages, prepared.citations]).toEqual([[], []]);
  });

  test('lets the built-in assistant quote from files, also whole ones, if there are no documents', async () => {
    const viewer = aViewer();
    const id = await readyFile(viewer, ['Forty otters swim at night.', 'Herons wait.']);
    const prepared = await preparedOf(
      viewer,
      await bench.ask(viewer, { text: 'otters', files: [{ id, use: 'auto' }] }),
    );
    expect(prepared.passages).toMatchObject([{ number: 1, text: 'Forty otters swim at night.' }]);
  });

  test('uses only files of the path when a question is answered again, and for the next question', async () => {
    const viewer = aViewer();
    const [mine, aside] = [await readyFile(viewer, ['Forty otters.']), await readyFile(viewer, ['Fifty otters.'])];
    const first = await bench.ask(viewer, { text: 'otters', files: [{ id: mine, use: 'searched' }] });
    await bench.end(viewer, first);
    const { id: conversationId } = first.conversation;
    const other = await bench.ask(viewer, {
      conversationId,
      parentId: null,
      text: 'otters',
      files: [{ id: aside, use: 'searched' }],
    });
    await bench.end(viewer, other);
    const textsOf = async (asked: Parameters<typeof preparedOf>[1]) =>
      (await preparedOf(viewer, asked)).passages.map(({ text }) => text);
    const next = await bench.ask(viewer, { conversationId, parentId: first.answer.id, text: 'and otters?' });
    expect(await textsOf(next)).toEqual(['Forty otters.']);
    await bench.end(viewer, next);
    const ids = { answerId: newId('message'), generationId: newId('generation') };
    const again = await bench.answering.answer(viewer, { conversationId, parentId: other.message.id, ...ids });
    expect(await textsOf(again as never)).toEqual(['Fifty otters.']);
  });
});

describe('whole files', () => {
  const named = (id: string, use: FileUse = 'whole') =>
    ({ id: id as FileId, name: id, mediaType: 'text/plain', bytes: 1, use }) as const;
  const sources = {
    files: { whole: async (_scope: unknown, id: FileId) => ({ text: `text of ${id}`, tokens: 400 }) },
    images: bench.seen,
  };
  const reading = { contextTokens: 8_000, images: null };
  const attach = (
    path: PathMessage[],
    before = [] as ReturnType<typeof named>[],
    { mostTokens = 1_000, mayFind = false } = {},
  ) => attachFiles(sources, aViewer().scope, { path, before, reading, mostTokens, told, mayFind });
  const question = (text: string, ...attached: ReturnType<typeof named>[]): PathMessage => ({
    role: 'person',
    text,
    attached,
  });

  test('sends files of the newest questions first, and searches files without room', async () => {
    const { path, searched } = await attach([
      question('1', named('a')),
      question('2', named('b')),
      question('3', named('c')),
    ]);
    expect(path.map(({ files }) => files?.map(({ text }) => text))).toEqual([[null], ['text of b'], ['text of c']]);
    expect(searched.map(({ id }) => id)).toEqual(['a']);
  });

  test('searches files from before the history, and files whose question fell out of it', async () => {
    const path = [question('old', named('a')), question('x'.repeat(24_000), named('b'))];
    const { searched } = await attach(path, [named('z'), named('b')]);
    expect(searched.map(({ id }) => id)).toEqual(['a', 'z']);
  });

  test('sends a file that several questions have with the newest of them', async () => {
    const { path, searched } = await attach([question('1', named('a', 'searched')), question('2', named('a'))]);
    expect(path.map(({ files }) => files?.length ?? 0)).toEqual([0, 1]);
    expect(searched).toEqual([]);
  });

  test('sends a whole file together with the newer messages if they fit', async () => {
    // 2,500 tokens after the file are more than a quarter of the context, but still fit.
    const behind = (tokens: number) => [question('1', named('a')), question('x'.repeat(tokens * 3)), question('2')];
    for (const mayFind of [false, true]) {
      const { path, searched } = await attach(behind(2_500), [], { mayFind });
      expect([path[0]!.files![0]!.text, searched]).toEqual(['text of a', []]);
    }
    // 5,000 tokens after the file leave no room for passages.
    const wholeIn = async (tokens: number, mayFind: boolean) =>
      (await attach(behind(tokens), [], { mayFind })).searched.length === 0;
    expect([await wholeIn(5_000, false), await wholeIn(5_000, true), await wholeIn(6_000, false)]).toEqual([
      true,
      false,
      false,
    ]);
  });
});

describe('passages for an answer', () => {
  const upstream = { host: 'models.example', model: 'atlas' };
  const prepareOn = (contextTokens: number) =>
    bench.preparing({
      client: async () => ({}),
      reading: async () => ({ contextTokens, images: null }),
    } as unknown as ModelsService);
  const otters = (about: string) =>
    Array.from({ length: 8 }, (_, at) => `Otters ${at} ${about} ${'swim north again '.repeat(50)}`);
  /** Creates passages of documents and of a searched file, of 300 tokens each. */
  async function library(viewer: Viewer) {
    for (const text of otters('of the handbook')) await bench.addDocument(viewer, text);
    return readyFile(viewer, [...otters('of the file'), ...long], 'Long.pdf');
  }
  const wholeIn = (content: string) => content.includes('One thousand herons');

  test('gives passages the room that the whole file of an earlier question leaves', async () => {
    const viewer = aViewer();
    const searched = await library(viewer);
    // 1,900 tokens: nearly a quarter of the context.
    const whole = await readyFile(viewer, [`One thousand herons. ${'h '.repeat(2_840)}`], 'Herons.txt');
    const first = await bench.ask(viewer, { text: 'herons', files: [{ id: whole, use: 'auto' }] });
    expect(uses(first.message.files)).toEqual([[whole, 'whole']]);
    await bench.end(viewer, first, { text: 'Many. '.repeat(500) });
    const { id: conversationId } = first.conversation;
    const asked = await bench.ask(viewer, {
      conversationId,
      text: 'otters swim north again',
      files: [{ id: searched, use: 'searched' }],
    });
    const prepared = await prepareOn(8_000).prepare({ ...(await bench.find(viewer, asked)), upstream });
    const sent = bench.messagesOf({ ...prepared, beginning: '' } as never);
    const tokens = sent.reduce((sum, { content }) => sum + bench.tokensOf(content) + 32, 2_000);
    expect([sent.length, wholeIn(sent[1]!.content), tokens <= 8_000]).toEqual([4, true, true]);
    const names = prepared.passages.map(({ documentName }) => documentName);
    const [ofDocuments, ofFile] = ['Handbook', 'Long.pdf'].map((name) => names.filter((one) => one === name).length);
    expect([ofDocuments! > 0, Math.abs(ofDocuments! - ofFile!) <= 1, names.length < 14]).toEqual([true, true, true]);
    expect(prepared.passages.map(({ number }) => number)).toEqual(names.map((_name, at) => at + 1));
    expect(prepared.citations).toHaveLength(names.length);
  });

  test('sends all passages that were found if there is room', async () => {
    const viewer = aViewer();
    const searched = await library(viewer);
    const text = 'otters swim north again';
    const asked = await bench.ask(viewer, { text, files: [{ id: searched, use: 'searched' }] });
    const generation = { ...(await bench.find(viewer, asked)), upstream };
    const prepared = await prepareOn(128_000).prepare(generation);
    expect(prepared.passages.length).toBeGreaterThan(12);
  });
});
