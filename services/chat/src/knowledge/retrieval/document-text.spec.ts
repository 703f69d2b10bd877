import { beforeAll, expect, test } from '@jest/globals';
import type { DocumentId } from '@parley/contracts';
import { newId } from '@parley/platform/ids';
import { jobScope } from '@parley/platform/mongo';
import { testStore } from '@parley/testing';
import { defaultConnectionIdOf } from '../connections/index.ts';
import { KeywordIndex } from './keyword-index.ts';
import type { TextPart } from './passage.ts';

const { mongo, clock, work, ready } = await testStore();
const index = new KeywordIndex(mongo, clock, work);
const [mine, theirs] = [jobScope('tests').in(newId('organisation')), jobScope('tests').in(newId('organisation'))];
beforeAll(ready);

const put = async (count: number, id: DocumentId = newId('document'), word = 'heron'): Promise<DocumentId> => {
  const passages = Array.from({ length: count }, (_, at) => ({
    heading: `Chapter ${at}`,
    text: `${word} ${at}`,
    place: { kind: 'page' as const, number: at + 1 },
  }));
  await index.replace(mine, { id, name: 'Handbook', connectionId: defaultConnectionIdOf(mine.orgId) }, passages);
  return id;
};
const read = async (id: DocumentId, part: TextPart) => {
  const { passages, ...beside } = await index.textOf(mine, id, part);
  return { texts: passages.map(({ text }) => text), ...beside };
};

test('a document is read part by part, in its order and to its end', async () => {
  const id = await put(7);
  expect(await read(id, { limit: 3 })).toEqual({ texts: ['heron 0', 'heron 1', 'heron 2'], previous: null, next: 3 });
  expect(await read(id, { from: 3, limit: 3 })).toMatchObject({ previous: 0, next: 6 });
  expect(await read(id, { from: 6, limit: 3 })).toEqual({ texts: ['heron 6'], previous: 3, next: null });
  expect(await read(id, { from: 7, limit: 3 })).toMatchObject({ texts: [], next: null });
  const { passages } = await index.textOf(mine, id, { limit: 1 });
  expect(passages).toMatchObject([{ heading: 'Chapter 0', place: { kind: 'page', number: 1 } }]);
});

test('the part that holds a passage is one of these; without it, or with one of another document, it is the first', async () => {
  const [id, other] = [await put(7), await put(2)];
  const { passages } = await index.textOf(mine, id, { from: 4, limit: 1 });
  const { chunkId } = passages[0]!;
  expect(await read(id, { chunkId, limit: 3 })).toMatchObject({
    texts: ['heron 3', 'heron 4', 'heron 5'],
    previous: 0,
    next: 6,
  });
  expect(await read(other, { chunkId, limit: 1 })).toMatchObject({ texts: ['heron 0'], previous: null });
  expect(await read(id, { chunkId: newId('chunk'), limit: 1 })).toMatchObject({ texts: ['heron 0'] });
});

test('nothing is read of a document that is hidden, however large, removed, or of another organisation', async () => {
  for (const id of [await put(7), await put(130)]) {
    expect((await index.textOf(theirs, id, { limit: 3 })).passages).toEqual([]);
    await index.setHidden(mine, id, true);
    expect(await read(id, { limit: 3 })).toEqual({ texts: [], previous: null, next: null });
    await index.setHidden(mine, id, false);
  }
});

test('of a document that was replaced the newer text is read', async () => {
  const id = await put(4);
  await put(2, id, 'egret');
  expect(await read(id, { limit: 10 })).toEqual({ texts: ['egret 0', 'egret 1'], previous: null, next: null });
});
