import { beforeAll, describe, expect, test } from '@jest/globals';
import type { ConnectionId, DocumentId } from '@parley/contracts';
import { newId } from '@parley/platform/ids';
import { jobScope, type OrganisationScope } from '@parley/platform/mongo';
import { testStore } from '@parley/testing';
import { defaultConnectionIdOf } from '../connections/index.ts';
import type { NewChunk } from './chunk.collection.ts';
import { KeywordIndex } from './keyword-index.ts';
import { inserts, keysPerInsert, passageKeys } from './passage-rows.ts';

const { mongo, clock, work, ready } = await testStore();
const index = new KeywordIndex(mongo, clock, work);
const tests = jobScope('tests');
const [mine, theirs] = [tests.in(newId('organisation')), tests.in(newId('organisation'))];
beforeAll(ready);

/** Where uploads go. */
const uploads = ({ orgId }: OrganisationScope): ConnectionId => defaultConnectionIdOf(orgId);

async function put(scope: OrganisationScope, ...texts: readonly string[]): Promise<DocumentId> {
  const id = newId('document');
  const passages = texts.map((text) => ({ heading: null, text }));
  await index.replace(scope, { id, name: 'Handbook', connectionId: uploads(scope) }, passages);
  return id;
}
const textsFor = async (scope: OrganisationScope, query: string) =>
  (await index.search(scope, [uploads(scope)], query, 10)).map((passage) => passage.text);

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
    expect(await index.search(own, [uploads(own)], 'ash', 2)).toHaveLength(2);
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
    await index.replace(mine, { id, name: 'Handbook', connectionId: uploads(mine) }, [
      { heading: null, text: 'walrus two' },
    ]);
    expect(await textsFor(mine, 'walrus')).toEqual(['walrus two']);
    await index.remove(mine, id);
    expect(await textsFor(mine, 'walrus')).toEqual([]);
  });
});

describe('within some connections a search', () => {
  const own = tests.in(newId('organisation'));
  const [open, closed] = [newId('connection'), newId('connection')];
  const into = (connectionId: ConnectionId, ...texts: readonly string[]) =>
    index.replace(
      own,
      { id: newId('document'), name: 'Handbook', connectionId },
      texts.map((text) => ({ heading: null, text })),
    );
  const found = async (within: readonly ConnectionId[], query: string, limit = 10) =>
    (await index.search(own, within, query, limit)).map(({ text }) => text);

  test('finds theirs only, whatever better ones lie in others, and nothing within none', async () => {
    for (let documents = 0; documents < 3; documents += 1)
      await into(closed, ...Array.from({ length: 150 }, () => 'gannet nest'));
    await into(open, 'gannet alone');
    await put(own, 'gannet of uploads');
    await put(theirs, 'gannet of others');
    expect(await found([open], 'gannet nest')).toEqual(['gannet alone']);
    expect((await found([open, uploads(own)], 'gannet nest')).toSorted()).toEqual([
      'gannet alone',
      'gannet of uploads',
    ]);
    expect(await found([closed], 'gannet nest', 1)).toEqual(['gannet nest']);
    expect(await found([], 'gannet nest')).toEqual([]);
    const [hidden] = await index.search(own, [closed], 'gannet', 1);
    expect(await index.find(own, [open, uploads(own)], hidden!.chunkId)).toBeNull();
    expect(await index.find(own, [open, closed], hidden!.chunkId)).not.toBeNull();
  });

  test('ranks as if the others were not there', async () => {
    await into(open, 'osprey osprey rail', 'teal', 'rail rail osprey');
    const before = await found([open], 'osprey rail');
    await into(closed, ...Array.from({ length: 40 }, () => 'osprey'));
    expect(await found([open], 'osprey rail')).toEqual(before);
    expect(before).toHaveLength(2);
  });
});

describe('a question', () => {
  const scope = tests.in(newId('organisation'));
  const ask = async (question: string) => (await find(scope, question)).map(({ text }) => text);
  const find = (own: OrganisationScope, question: string) => index.search(own, [uploads(own)], question, 10);
  beforeAll(async () => {
    await put(scope, 'Parking costs 18 euros in the zone that is for employees.', 'The canteen is for all.');
    await put(scope, 'Die Kündigung muss sechs Monate vor dem Ende zugehen.', 'Der Dienstwagen wird gereinigt.');
  });

  test('finds other forms of its words, in its language and where that cannot be told', async () => {
    expect(await ask('Where may I park?')).toEqual([expect.stringContaining('Parking costs')]);
    expect(await ask('Wann darf man kündigen?')).toEqual([expect.stringContaining('Die Kündigung')]);
    expect(await ask('parked')).toEqual([expect.stringContaining('Parking costs')]);
  });

  test('of nothing but small words finds nothing', async () => expect(await ask('What is it for?')).toEqual([]));

  test('says how much of what was asked about each passage holds', async () => {
    const [first] = await find(scope, 'What does parking a helicopter cost?');
    expect(first?.coverage).toBeGreaterThan(0.3);
    expect(first?.coverage).toBeLessThan(0.7);
  });

  test('leaves out what is beside it', async () => {
    const own = tests.in(newId('organisation'));
    await put(own, 'herons nest in reeds near lakes', 'reeds', 'lakes', 'near', 'herons nest near lakes');
    const found = await find(own, 'herons nest in reeds near lakes');
    expect(Math.min(...found.map(({ score }) => score))).toBeGreaterThanOrEqual(found[0]!.score * 0.4);
    expect(found.length).toBeLessThan(5);
  });
});

describe('a document that is indexed', () => {
  const words = (count: number, at: number) => Array.from({ length: count }, (_, word) => `w${at}x${word}`).join(' ');
  const passages = Array.from({ length: 60 }, (_, at) => ({ heading: null, text: words(150, at) }));
  const toRow = (passage: { text: string }, index: number) =>
    ({ index, searchKeys: passageKeys('Handbook', { heading: null, ...passage }, null) }) as unknown as NewChunk;

  test('is written a bounded part of the index at a time, all of it and in its order', () => {
    const batches = [...inserts(passages, toRow)];
    const keysOf = (rows: readonly NewChunk[]) => rows.reduce((sum, { searchKeys }) => sum + searchKeys.length, 0);
    expect(Math.max(...batches.map(keysOf))).toBeLessThanOrEqual(keysPerInsert);
    expect(batches.length).toBe(5);
    expect(batches.flat().map(({ index }) => index)).toEqual(passages.map((_, index) => index));
  });

  test('has the next part made when the one before it is stored', () => {
    let made = 0;
    const batches = inserts(passages, (passage, index) => {
      made += 1;
      return toRow(passage, index);
    });
    const first = batches.next();
    expect(first.done).toBe(false);
    expect(made).toBeGreaterThan(0);
    expect(made).toBeLessThan(passages.length / 2);
    for (const _batch of batches);
    expect(made).toBe(passages.length);
  });

  test('refuses a heading that is longer than the reader leaves it', async () => {
    const passage = { heading: words(9_000, 0), text: 'below' };
    const document = { id: newId('document'), name: 'Handbook', connectionId: uploads(mine) };
    await expect(index.replace(mine, document, [passage])).rejects.toThrow('heading');
  });

  test('is found as it was, whole, wherever its replacement ends, and then as it is', async () => {
    const own = tests.in(newId('organisation'));
    const marked = (word: string) => passages.map(({ text }) => ({ heading: null, text: `${word} ${text}` }));
    const id = newId('document');
    const document = { id, name: 'Handbook', connectionId: uploads(own) };
    const found = async () => {
      const counts = ['older', 'newer', 'newest'].map((word) => index.search(own, [uploads(own)], word, 100));
      return (await Promise.all(counts)).map((each) => each.length);
    };
    await index.replace(own, document, marked('older'));
    for (const diesAt of [1, 60]) {
      const dying = index.replace(own, document, marked('newer'), (stored) => {
        if (stored >= diesAt) throw new Error('dead');
      });
      await expect(dying).rejects.toThrow('dead');
      expect(await found()).toEqual([60, 0, 0]);
    }
    await index.replace(own, document, marked('newest'));
    expect(await found()).toEqual([0, 0, 60]);
    expect(await index.countOf(own, id)).toBe(60);
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
    const [found] = await index.search(mine, [uploads(mine)], 'okapi', 1);
    await index.setHidden(mine, id, true);
    expect(await index.find(mine, [uploads(mine)], found!.chunkId)).toBeNull();
  });

  test("comes with its neighbours, to its organisation only; another's is neither hidden nor removed", async () => {
    const id = await put(mine, 'tapir first', 'tapir second ibex', 'tapir third');
    const [found] = await index.search(mine, [uploads(mine)], 'ibex', 1);
    expect(await index.find(mine, [uploads(mine)], found!.chunkId)).toMatchObject({
      before: 'tapir first',
      after: 'tapir third',
      indexedAt: clock.now(),
    });
    expect(await index.find(theirs, [uploads(theirs)], found!.chunkId)).toBeNull();
    await index.setHidden(theirs, id, true);
    await index.remove(theirs, id);
    expect(await index.find(mine, [uploads(mine)], found!.chunkId)).not.toBeNull();
  });
});
