import { beforeAll, describe, expect, test } from '@jest/globals';
import type { DocumentId } from '@parley/contracts';
import { newId } from '@parley/platform/ids';
import { jobScope, type OrganisationScope } from '@parley/platform/mongo';
import { testStore } from '@parley/testing';
import type { NewChunk } from './chunk.collection.ts';
import { inserts, KeywordIndex, keysPerInsert, passageKeys } from './keyword-index.ts';

const { mongo, clock, ready } = await testStore();
const index = new KeywordIndex(mongo, clock);
const tests = jobScope('tests');
const [mine, theirs] = [tests.in(newId('organisation')), tests.in(newId('organisation'))];
beforeAll(ready);

async function put(scope: OrganisationScope, ...texts: readonly string[]): Promise<DocumentId> {
  const id = newId('document');
  const passages = texts.map((text) => ({ heading: null, text }));
  await index.replace(scope, { id, name: 'Handbook' }, passages);
  return id;
}
const textsFor = async (scope: OrganisationScope, query: string) =>
  (await index.search(scope, query, 10)).map((passage) => passage.text);

describe('a search', () => {
  test("finds the organisation's own passages only, whatever the words", async () => {
    await put(mine, 'Penguins march to the sea.', 'Herons wait.');
    await put(theirs, 'Penguins sleep.', 'A secret about penguins.');
    expect(await textsFor(mine, 'penguins secret')).toEqual(['Penguins march to the sea.']);
    expect((await textsFor(theirs, 'penguins')).toSorted()).toEqual(['A secret about penguins.', 'Penguins sleep.']);
    expect(await index.count(mine, 100)).toBe(2);
  });

  test('puts the rarer word first', async () => {
    await put(mine, 'otter otter common', 'lynx alone');
    await put(mine, 'common', 'common', 'common');
    expect((await textsFor(mine, 'common lynx'))[0]).toBe('lynx alone');
  });

  test('looks for the rarest words first, and gives no more than it was asked for', async () => {
    const own = tests.in(newId('organisation'));
    const common = ['ash', 'birch', 'cedar', 'elm', 'fir', 'gum', 'hazel'].join(' ');
    await put(own, common, common, common, 'juniper');
    expect(await textsFor(own, `${common} juniper`)).toContain('juniper');
    expect(await index.search(own, 'ash', 2)).toHaveLength(2);
  });

  test('looks only at passages that hold one of the words, however many others there are', async () => {
    const own = tests.in(newId('organisation'));
    for (let documents = 0; documents < 2; documents += 1)
      await put(own, ...Array.from({ length: 550 }, () => 'crane'));
    await put(own, 'plover');
    expect(await textsFor(own, 'plover')).toEqual(['plover']);
  });

  test('finds what is visible behind many better passages that are hidden', async () => {
    const own = tests.in(newId('organisation'));
    await put(own, 'kestrel');
    const hidden = await put(own, ...Array.from({ length: 130 }, () => 'kestrel nest'));
    await index.setHidden(own, hidden, true);
    expect(await textsFor(own, 'kestrel nest')).toEqual(['kestrel']);
  });

  test('finds one document while another one is hidden', async () => {
    const own = tests.in(newId('organisation'));
    const [hidden] = [await put(own, 'ibis one'), await put(own, 'ibis two')];
    await index.setHidden(own, hidden, true);
    expect(await textsFor(own, 'ibis')).toEqual(['ibis two']);
  });

  test('finds nothing of what is hidden or removed, and what replaced it', async () => {
    const id = await put(mine, 'walrus one');
    await index.setHidden(mine, id, true);
    expect(await textsFor(mine, 'walrus')).toEqual([]);
    await index.setHidden(mine, id, false);
    await index.replace(mine, { id, name: 'Handbook' }, [{ heading: null, text: 'walrus two' }]);
    expect(await textsFor(mine, 'walrus')).toEqual(['walrus two']);
    await index.remove(mine, id);
    expect(await textsFor(mine, 'walrus')).toEqual([]);
  });
});

describe('a document that is indexed', () => {
  const words = (count: number, at: number) => Array.from({ length: count }, (_, word) => `w${at}x${word}`).join(' ');
  const passages = Array.from({ length: 60 }, (_, at) => ({ heading: null, text: words(150, at) }));
  const toRow = (passage: { text: string }, index: number) =>
    ({ index, searchKeys: passageKeys('Handbook', { heading: null, ...passage }) }) as unknown as NewChunk;

  test('is written a bounded part of the index at a time, all of it and in its order', () => {
    const batches = [...inserts(passages, toRow)];
    const keysOf = (rows: readonly NewChunk[]) => rows.reduce((sum, { searchKeys }) => sum + searchKeys.length, 0);
    expect(Math.max(...batches.map(keysOf))).toBeLessThanOrEqual(keysPerInsert);
    expect(batches.length).toBe(3);
    expect(batches.flat().map(({ index }) => index)).toEqual(passages.map((_, index) => index));
  });

  test('has the next part made when the one before it is stored', () => {
    let made = 0;
    const batches = inserts(passages, (passage, index) => {
      made += 1;
      return toRow(passage, index);
    });
    batches.next();
    expect(made).toBeLessThan(passages.length / 2);
  });

  test('refuses a heading that is longer than the reader leaves it', async () => {
    const passage = { heading: words(9_000, 0), text: 'below' };
    await expect(index.replace(mine, { id: newId('document'), name: 'Handbook' }, [passage])).rejects.toThrow(
      'heading',
    );
  });

  test('is replaced and removed as a whole, however many passages it has', async () => {
    const own = tests.in(newId('organisation'));
    const id = await put(own, ...passages.map(({ text }) => text));
    expect(await index.count(own, 100)).toBe(60);
    await index.remove(own, id);
    expect(await index.count(own, 100)).toBe(0);
  });
});

describe('a passage', () => {
  test('is not read while its document is hidden', async () => {
    const id = await put(mine, 'okapi');
    const [found] = await index.search(mine, 'okapi', 1);
    await index.setHidden(mine, id, true);
    expect(await index.find(mine, found!.chunkId)).toBeNull();
  });

  test("comes with its neighbours, to its organisation only; another's is neither hidden nor removed", async () => {
    const id = await put(mine, 'tapir first', 'tapir second ibex', 'tapir third');
    const [found] = await index.search(mine, 'ibex', 1);
    expect(await index.find(mine, found!.chunkId)).toMatchObject({
      before: 'tapir first',
      after: 'tapir third',
      indexedAt: clock.now(),
    });
    expect(await index.find(theirs, found!.chunkId)).toBeNull();
    await index.setHidden(theirs, id, true);
    await index.remove(theirs, id);
    expect(await index.find(mine, found!.chunkId)).not.toBeNull();
  });
});
