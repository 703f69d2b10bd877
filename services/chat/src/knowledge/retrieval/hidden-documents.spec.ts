import { beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { DocumentId } from '@parley/contracts';
import { newId } from '@parley/platform/ids';
import { jobScope, type OrganisationScope } from '@parley/platform/mongo';
import { job } from '@parley/platform/work';
import { testStore } from '@parley/testing';
import { defaultConnectionIdOf } from '../connections/index.ts';
import { HiddenDocuments, passagesPerTurn } from './hidden-documents.ts';
import { KeywordIndex } from './keyword-index.ts';
import { PassageSettler } from './passage-settler.ts';
import { PassageVectors } from './passage-vectors.ts';

const { mongo, clock, work, ready } = await testStore();
const index = new KeywordIndex(mongo, clock, work);
const vectors = new PassageVectors(mongo);
const hidden = new HiddenDocuments(mongo);
const settler = new PassageSettler(mongo, work);
const jobs = jobScope('tests');
beforeAll(ready);

/** More than a transaction may write: the test store refuses one that writes them all. */
const many = 6 * passagesPerTurn;
const counting = (count: number, word: string) =>
  Array.from({ length: count }, (_, at) => ({ heading: null, text: `${word} number ${at}` }));

let scope: OrganisationScope;
let large: DocumentId;
const put = async (word: string, count: number): Promise<DocumentId> => {
  const id = newId('document');
  await index.replace(scope, documentOf(id), counting(count, word));
  return id;
};
const documentOf = (id: DocumentId) => ({ id, name: 'Handbook', connectionId: defaultConnectionIdOf(scope.orgId) });
const search = (query: string) => index.search(scope, [defaultConnectionIdOf(scope.orgId)], query, 10);
const found = async (query: string) => (await search(query)).map(({ text }) => text);
const settleOnce = async () => {
  for (const row of await hidden.unsettled(jobs))
    await work.run(job('tests'), (tx) => hidden.settleSome(jobs.in(row.orgId), row, tx));
};

describe('a document of many passages', () => {
  beforeEach(async () => {
    scope = jobs.in(newId('organisation'));
    await put('heron', 3);
    large = await put('heron heron', many);
  });

  test('is found by nobody from the moment it is hidden, and lets others be found', async () => {
    const [passage] = await search('number 77');
    const within = [defaultConnectionIdOf(scope.orgId)];
    expect(await index.find(scope, within, passage!.chunkId)).not.toBeNull();
    await index.setHidden(scope, large, true);
    expect(await index.find(scope, within, passage!.chunkId)).toBeNull();
    expect((await found('heron')).toSorted()).toEqual(['heron number 0', 'heron number 1', 'heron number 2']);
    const waiting = await vectors.waiting(scope, 64);
    expect(waiting.map(({ text }) => text).filter((text) => text.startsWith('heron heron'))).toEqual([]);
    await settler.settle();
    expect(await hidden.unsettled(jobs)).toEqual([]);
    expect(await vectors.count(scope)).toMatchObject({ passages: 3 });
    expect(await found('heron')).toHaveLength(3);
  });

  test('is found as before when it is restored while half of it is hidden', async () => {
    const before = await search('heron number 77');
    await index.setHidden(scope, large, true);
    await settleOnce();
    await settleOnce();
    await index.setHidden(scope, large, false);
    await settler.settle();
    expect(await search('heron number 77')).toEqual(before);
    expect(await vectors.count(scope)).toMatchObject({ passages: many + 3 });
    expect(await hidden.of(scope)).toEqual([]);
  });

  test('stays hidden when a batch of its restoring comes after it was hidden again', async () => {
    await index.setHidden(scope, large, true);
    await settler.settle();
    await index.setHidden(scope, large, false);
    const [old] = await hidden.unsettled(jobs);
    await index.setHidden(scope, large, true);
    expect(await work.run(job('tests'), (tx) => hidden.settleSome(scope, old!, tx))).toBe(false);
    await settler.settle();
    expect(await found('heron')).toHaveLength(3);
  });

  test('stays hidden when a newer version is indexed, until it is shown', async () => {
    await index.setHidden(scope, large, true);
    await index.replace(scope, documentOf(large), counting(many, 'egret'));
    expect(await found('egret')).toEqual([]);
    await index.setHidden(scope, large, false);
    await settler.settle();
    expect(await found('egret')).toHaveLength(10);
    expect(await index.countOf(scope, large)).toBe(many);
  });

  test('leaves nothing behind when it is erased', async () => {
    await index.setHidden(scope, large, true);
    await index.remove(scope, large);
    await settler.settle();
    expect([await hidden.of(scope), await index.countOf(scope, large)]).toEqual([[], 0]);
  });
});
