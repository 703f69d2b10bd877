import { beforeAll, expect, test } from '@jest/globals';
import type { ChunkId, FileId } from '@parley/contracts';
import { filesBench } from '../../testing/files-bench.spec-setup.ts';
import { aViewer } from '../../testing/viewer.spec-setup.ts';
import { firstPassages } from './file-search.ts';

const bench = await filesBench();
const { readyFile, references, paths } = bench;
beforeAll(bench.ready);

test('passages of the first files are read, up to the limit', async () => {
  const asked: FileId[] = [];
  const countsOf = async (fileId: FileId) => {
    asked.push(fileId);
    return [1, 2, 3].map((n) => ({ id: `${fileId}${n}` as ChunkId, fileId, counts: '' }));
  };
  const wanted = ['c', 'b', 'a'] as FileId[];
  const { ids, searched } = await firstPassages(wanted, { most: 4, countsOf });
  expect([ids, asked]).toEqual([
    ['c', 'b'],
    ['c', 'b'],
  ]);
  expect(searched.map(({ id }) => id)).toEqual(['c1', 'c2', 'c3', 'b1']);
});

test('the files of a path are named newest question first', async () => {
  const viewer = aViewer();
  const [old, middle, young] = [
    await readyFile(viewer, ['a']),
    await readyFile(viewer, ['b']),
    await readyFile(viewer, ['c']),
  ];
  let asked = await bench.ask(viewer, { files: [{ id: old, use: 'searched' }] });
  const { id: conversationId } = asked.conversation;
  for (const id of [middle, young]) {
    await bench.end(viewer, asked);
    asked = await bench.ask(viewer, { conversationId, parentId: asked.answer.id, files: [{ id, use: 'searched' }] });
  }
  const leaf = (await paths.locate(viewer.scope, conversationId, asked.message.id))!;
  const questions = await references.ofPath(viewer.scope, conversationId, leaf);
  expect(questions.flatMap(({ files }) => files.map(({ id }) => id))).toEqual([young, middle, old]);
});
