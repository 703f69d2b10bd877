import { beforeAll, describe, expect, test } from '@jest/globals';
import type { FileId, ImageSupport, MessageFile } from '@parley/contracts';
import { newId } from '@parley/platform/ids';
import { job } from '@parley/platform/work';
import { filesBench } from '../../../testing/files-bench.spec-setup.ts';
import type { StoredImage } from '../../../knowledge/files/index.ts';
import { aViewer } from '../../../testing/viewer.spec-setup.ts';
import { askOf } from '../rows/ask.ts';
import { attachFiles } from './answer-files.ts';
import type { PathMessage } from './path-messages.ts';

const bench = await filesBench();
beforeAll(bench.ready);

const named = (id: string): MessageFile =>
  ({ id: id as FileId, name: `${id}.png`, mediaType: 'image/png', bytes: 1, use: 'image' }) as const;
const question = (text: string, ...images: string[]): PathMessage => ({
  role: 'person',
  text,
  attached: images.map(named),
});
const jpeg = Buffer.from('a JPEG');
type Given = {
  readonly accepts?: ImageSupport;
  readonly contextTokens?: number;
  readonly size?: Omit<StoredImage, 'read'>;
};

/** Returns the names of the images that the model sees with each message; `asked` are the ids that were looked up. */
async function seenIn(path: PathMessage[], given: Given = {}, before: MessageFile[] = []) {
  const { accepts = 'yes', contextTokens = 200_000 } = given;
  const { size = { width: 150, height: 100, bytes: 5_000 } } = given;
  const asked: FileId[] = [];
  const images = {
    find: async (_scope: unknown, ids: readonly FileId[]) => {
      asked.push(...ids);
      return new Map(ids.map((id) => [id, { ...size, read: async () => jpeg }]));
    },
  };
  const files = { whole: async (_scope: unknown, id: FileId) => ({ text: `text of ${id}`, tokens: 400 }) };
  const reading = { contextTokens, images: { accepts } };
  const told = await attachFiles({ files, images }, aViewer().scope, {
    path,
    before,
    reading,
    mostTokens: 1_000,
    told: { instructions: '', onlyFromDocuments: false, beginning: '', maxOutputTokens: null },
    mayFind: false,
  });
  const seen = told.path.map(({ images: own = [] }) =>
    own.filter(({ read }) => read !== null).map(({ name }) => name.replace('.png', '')),
  );
  const names = told.path.flatMap(({ images: own = [] }) => own.map(({ name }) => name.replace('.png', '')));
  return { ...told, seen, names, asked };
}
const many = (count: number) => Array.from({ length: count }, (_, at) => `i${at}`);

describe('images of questions', () => {
  test('sends an image once, with the newest question that has it, and never searches it', async () => {
    const told = await seenIn([question('1', 'a', 'b'), question('2', 'b')], {}, [named('z')]);
    expect([told.seen, told.searched]).toEqual([[['a'], ['b']], []]);
    expect(told.path[1]!.images).toMatchObject([{ name: 'b.png', tokens: 1_120 }]);
  });

  test.each([
    ['unknown', ['a']],
    ['yes', ['a']],
    ['no', []],
  ] as const)('sends or only names images if the model’s support is %s', async (accepts, seen) => {
    const told = await seenIn([question('1', 'a')], { accepts });
    expect([told.seen, told.names, told.asked]).toEqual([[seen], ['a'], seen]);
  });

  test('sends at most 20 images in one request, from the newest questions', async () => {
    const told = await seenIn([question('1', ...many(20)), question('2', 'a', 'b')]);
    expect(told.seen.map((names) => names.length)).toEqual([18, 2]);
    expect([told.names.length, told.asked.length]).toEqual([22, 20]);
  });

  test('sends at most 12 MB of images in one request', async () => {
    const size = { width: 150, height: 100, bytes: 3_500_000 };
    const told = await seenIn([question('1', 'a', 'b'), question('2', 'c', 'd')], { size });
    expect(told.seen).toEqual([['a'], ['c', 'd']]);
  });

  test('lets images take at most half of the context', async () => {
    // 3,779 tokens each.
    const size = { width: 1_568, height: 1_568, bytes: 5_000 };
    const path = () => [question('1', 'a', 'b'), question('2', 'c')];
    expect((await seenIn(path(), { size, contextTokens: 8_000 })).seen).toEqual([[], ['c']]);
    expect((await seenIn(path(), { size, contextTokens: 15_200 })).seen).toEqual([['a'], ['c']]);
  });

  test('looks up no images of messages that fell out of the history', async () => {
    const told = await seenIn([question('1', 'a'), question('x'.repeat(24_000), 'b')], { contextTokens: 8_000 });
    expect([told.seen, told.asked]).toEqual([[[], ['b']], ['b']]);
  });

  test('sends only names of images if asked with a note, also when continuing that answer', async () => {
    const viewer = aViewer();
    const asked = await bench.ask(viewer);
    await bench.end(viewer, asked, { status: 'failed', text: '', failure: 'images-refused', images: 'refused' });
    const place = { conversationId: asked.conversation.id, parentId: asked.message.id };
    const ids = () => ({ answerId: newId('message'), generationId: newId('generation') });
    const again = async (wish: object) => {
      const { answer } = await bench.answering.answer(viewer, { ...place, ...ids(), ...wish });
      const [generation] = await bench.generations.findMany(viewer.scope, [answer.generation!.id]);
      return { answer, generation: generation!, ask: askOf(generation!) };
    };
    const noted = await again({ images: 'note' });
    expect([noted.ask, noted.answer.generation]).toMatchObject([{ images: 'note' }, { images: 'note' }]);
    await bench.end(viewer, { answer: noted.answer }, { status: 'stopped', text: 'I can’t', images: 'note' });
    const further = await again({ continues: noted.answer.id });
    expect(further.ask).toMatchObject({ images: 'note', continued: { text: 'I can’t' } });
    await bench.end(viewer, { answer: further.answer });
    expect((await again({})).ask).not.toHaveProperty('images');
  });

  test('reads stored images when they are sent, and gives models without images their names', async () => {
    const viewer = aViewer();
    const { id } = await bench.upload(viewer, { name: 'Plan.png' });
    const row = (await bench.fileRows.claim(viewer.scope, (await bench.fileRows.find(viewer.scope, id))!, new Date()))!;
    const end = { status: 'ready', failure: null, image: { width: 30, height: 30 }, textBytes: 9 } as const;
    await bench.work.run(job('tests'), (tx) => bench.fileRows.finish(viewer.scope, row, end, tx));
    const asked = await bench.ask(viewer, { files: [{ id, use: 'auto' }] });
    expect(asked.message.files).toMatchObject([{ id, use: 'image', mediaType: 'image/png' }]);
    const prepared = await bench.prepare.prepare(await bench.find(viewer, asked));
    // The built-in assistant sees no images.
    expect(prepared.path.at(-1)!.images).toMatchObject([{ name: 'Plan.png', tokens: 0, read: null }]);
    const found = (await bench.seen.find(viewer.scope, [id])).get(id)!;
    expect([found.width, found.bytes, await found.read()]).toEqual([30, 9, null]);
    bench.seen.kept.set(`${await bench.keyOf(viewer, id)}-seen`, jpeg);
    expect(await found.read()).toEqual(jpeg);
    expect((await bench.seen.find(aViewer().scope, [id])).size).toBe(0);
  });
});
