import { beforeAll, describe, expect, test } from '@jest/globals';
import { firstFileOf, zipOf } from '@parley/chat-exports/fixtures';
import { buffer } from 'node:stream/consumers';
import { importBench } from '../../testing/import-bench.spec-setup.ts';
import { aViewer } from '../../testing/viewer.spec-setup.ts';
import { aChat, aFile, aLine } from './chats.spec-setup.ts';

const bench = await importBench();
beforeAll(bench.ready);
const { imported, conversationsOf, onlyOne, pathOf, textsOf } = bench;

const text = 'Thirty herons stand in the shallow water. '.repeat(20);
/** The file of an archive after something has happened to the archive. */
async function damaged(harm: (archive: Buffer) => void, level: 0 | 6) {
  const archive = zipOf({ 'plan.txt': text }, level);
  harm(archive);
  const file = await firstFileOf(archive);
  return { name: 'plan.txt', bytes: file.size, open: () => file.open() };
}
const directory = Buffer.from('PK\u0001\u0002', 'latin1');
const harms: readonly (readonly [string, 0 | 6, (archive: Buffer) => void])[] = [
  ['a wrong checksum', 0, (archive) => archive.writeUInt32LE(1, archive.indexOf(directory) + 16)],
  ['changed content', 0, (archive) => archive.write('X', 50)],
  ['bytes that don’t unpack', 6, (archive) => archive.fill(0xff, 40, 60)],
  ['no beginning', 6, (archive) => archive.fill(0, 0, 4)],
  ['an unknown compression', 6, (archive) => archive.writeUInt16LE(93, archive.indexOf(directory) + 10)],
];

describe('an import', () => {
  test.each([1, 21, 41])('brings a chat whose message %i has no searchable word', async (number) => {
    const viewer = aViewer();
    const texts = Array.from({ length: 42 }, (_, index) => (index === number - 1 ? '👍' : `herons ${index}`));
    const id = await imported(viewer, [aChat('signs', aLine('s', texts)), aChat('next', aLine('n', ['q', 'a']))]);
    expect(await bench.read(viewer, id)).toMatchObject({ status: 'done', imported: { chats: 2, messages: 44 } });
    const signs = (await conversationsOf(viewer)).find(({ title }) => title === 'About signs');
    expect(await textsOf(viewer, signs!.id)).toEqual(texts);
  });

  test.each(harms)('leaves out a file with %s, and only that', async (_name, level, harm) => {
    const viewer = aViewer();
    const [question, answer] = aLine('f', ['q', 'a']);
    const files = [aFile('one.txt', 'Herons.'), await damaged(harm, level), aFile('two.txt', 'Storks.')];
    await expect(files[1]!.open().then(buffer)).rejects.toThrow();
    const id = await imported(viewer, [aChat('files', [{ ...question!, files }, answer!])]);
    expect(await bench.read(viewer, id)).toMatchObject({ status: 'done', losses: 1, imported: { files: 2 } });
    expect(await bench.lossesOf(viewer, id)).toMatchObject([{ reason: 'file-damaged', name: 'plan.txt' }]);
    const { items } = await pathOf(viewer, (await onlyOne(viewer)).id);
    expect(items[0]!.files!.map(({ name }) => name)).toEqual(['one.txt', 'two.txt']);
  });
});
