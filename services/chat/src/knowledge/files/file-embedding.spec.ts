import { afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import type { FileId } from '@parley/contracts';
import { newId } from '@parley/platform/ids';
import type { OrganisationScope } from '@parley/platform/mongo';
import { Quotas } from '@parley/platform/quotas';
import { job } from '@parley/platform/work';
import { oneAttempt, TestJobs } from '@parley/testing';
import { vectorOf } from '@parley/testing/model-streams';
import { embeddingBench } from '../../testing/embedding-bench.spec-setup.ts';
import type { StorageQuota } from '../documents/index.ts';
import { fileRows } from './file.collection.ts';
import { fileEmbeddingRows, fileVectorRows } from './file-embedding.collection.ts';
import { FileEmbeddingStep } from './file-embedding-step.ts';
import { FileMeaning } from './file-meaning.ts';
import { embedFile } from './file-jobs.ts';
import { FilePassages } from './file-passages.ts';
import { FileSearch } from './file-search.ts';
import { newFile } from './file.ts';
import { FilesRepository } from './files.repository.ts';
import { FileVectors } from './file-vectors.ts';
import { storageSource } from './storage-source.ts';

const bench = await embeddingBench();
const { mongo, work, clock, server, models, calls, platform, budget, limit, anOrganisation, all, asker } = bench;
const [files, passages, vectors] = [new FilesRepository(mongo), new FilePassages(mongo), new FileVectors(mongo)];
const storage = { usedBytes: 0, quotaBytes: 1_000_000 };
const quota = { read: async () => storage } as unknown as StorageQuota;
const step = new FileEmbeddingStep(vectors, files, models, calls, quota, work, platform);
const documents = mongo.rows(fileRows);
const embeddings = mongo.rows(fileEmbeddingRows);
const stored = mongo.rows(fileVectorRows);
beforeAll(() => bench.ready());
afterEach(() => {
  server.act = null;
  budget.isSpent = false;
  storage.usedBytes = 0;
});

const texts = ['The automobile stands in hall four.', 'Herons nest in reeds.', 'Invoices are paid within a month.'];
const question = 'Where do I find my car?';
const oneStep = (id: FileId) => oneAttempt(bench, { job: embedFile, key: id, runner: step });
const owner = newId('user');
const group = newId('group');

/** A file that was read, in an organisation whose provider embeds. */
async function aFile(some: readonly string[] = texts, organisation = anOrganisation()) {
  const own = await organisation;
  const { scope } = own;
  const id = newId('file');
  const uploaded = { id, orgId: scope.orgId, userId: owner, groupIds: [group], name: 'plan.pdf', bytes: 1_000 };
  const row = newFile({ ...uploaded, mediaType: 'application/pdf' }, clock.now());
  const ready = { ...row, status: 'ready' as const, passageCount: some.length };
  await work.run(job('tests'), (tx) => files.create(scope, ready, tx));
  await passages.replace(scope, { fileId: id, passages: some.map((text) => ({ heading: null, text })) });
  return { ...own, id };
}
/** As in a process that has asked nobody yet. */
const find = async (scope: OrganisationScope, id: FileId, text = question): Promise<string[]> => {
  const meaning = new FileMeaning(files, vectors, models, bench.newMeaning(), work, platform);
  const wanted = { files: [{ id, name: 'plan.pdf' }], question: text, most: 8, asker };
  return (await new FileSearch(passages, meaning).find(scope, wanted)).map((passage) => passage.text);
};
const stateOf = async (scope: OrganisationScope, id: FileId) => (await vectors.find(scope, [id]))[0];
async function embedAll(scope: OrganisationScope, id: FileId, most = 12): Promise<void> {
  for (let steps = 0; steps < most; steps += 1) {
    clock.advance(61_000);
    const row = await stateOf(scope, id);
    if (!row?.isWanted) return;
    await oneStep(id);
  }
}
const ofPassages = async (scope: OrganisationScope) =>
  (await all(scope).told()).filter(({ purpose }) => purpose === 'passages');
/** The storage that is counted, and what is there. */
const recounted = (scope: OrganisationScope) =>
  new Quotas(mongo).recount(scope, storageSource, () => storageSource.count(mongo, scope));
const bytesOf = async (scope: OrganisationScope, id: FileId) =>
  (await documents.within(scope).findById(id))?.vectorBytes ?? 0;

describe('a file of a chat', () => {
  test('costs nothing until a question searches it, then is found by meaning, paid by who attached it', async () => {
    const { scope, id } = await aFile();
    const before = server.asked.length;
    expect(await stateOf(scope, id)).toBeUndefined();
    expect(await find(scope, id)).toEqual([]);
    expect(server.asked.length).toBe(before);
    await embedAll(scope, id);
    expect(await find(scope, id)).toEqual(['The automobile stands in hall four.']);
    const paid = { userId: owner, groupIds: [group], chatbotId: null, inputTokens: 30, outcome: 'done' };
    expect(await ofPassages(scope)).toMatchObject([paid]);
    // A second search embeds nothing again.
    await find(scope, id, 'herons');
    await embedAll(scope, id);
    expect(await ofPassages(scope)).toHaveLength(1);
  });

  test('embeds its many passages in batches, and ranks them by meaning and words', async () => {
    const some = [...Array.from({ length: 150 }, (_, at) => `Van number${at}`), ...texts, 'A car park is behind.'];
    const { scope, id } = await aFile(some);
    await find(scope, id);
    await embedAll(scope, id);
    expect((await ofPassages(scope)).map(({ inputTokens }) => inputTokens)).toEqual([640, 640, 260]);
    expect((await find(scope, id, 'car park')).slice(0, 1)).toEqual(['A car park is behind.']);
    expect(await find(scope, id, 'car park')).toContain('The automobile stands in hall four.');
    expect(await storageSource.count(mongo, scope)).toBe(1_000 + (await bytesOf(scope, id)));
  });

  test('is found by words where the budget of its person is spent, and tried again with a later question', async () => {
    const { scope, id } = await aFile();
    await limit(scope);
    budget.isSpent = true;
    const before = server.asked.length;
    await find(scope, id);
    await embedAll(scope, id);
    expect(await find(scope, id, 'herons')).toEqual(['Herons nest in reeds.']);
    expect(server.asked.length).toBe(before);
    expect(await ofPassages(scope)).toEqual([]);
    budget.isSpent = false;
    await embedAll(scope, id);
    expect(budget.held.at(-1)).toMatchObject({ userId: owner, groupIds: [group] });
    expect(await find(scope, id)).toEqual(['The automobile stands in hall four.']);
  });

  test('goes on where a killed process asked, which is recorded as interrupted', async () => {
    const { scope, id } = await aFile();
    await find(scope, id);
    const model = (await models.of(scope, 'passages'))!;
    const asking = { id: newId('embedding'), model: model.key, upstream: model.upstream, inputTokens: 7 };
    await work.run(job('tests'), (tx) => vectors.keep(scope, id, { asking, of: model.key }, tx));
    await embedAll(scope, id);
    expect((await ofPassages(scope)).map(({ outcome, inputTokens, userId }) => [outcome, inputTokens, userId])).toEqual(
      [
        ['interrupted', 7, owner],
        ['done', 30, owner],
      ],
    );
    expect(await stored.within(scope).count({ fileId: id })).toBe(1);
  });

  test('has its vectors made again by another model, and none without one', async () => {
    const { scope, id, name } = await aFile();
    await find(scope, id);
    await embedAll(scope, id);
    await name('embed-2');
    expect(await find(scope, id)).toEqual([]);
    await embedAll(scope, id);
    expect(await find(scope, id)).toEqual(['The automobile stands in hall four.']);
    expect(await stateOf(scope, id)).toMatchObject({ next: 3, isWanted: false });
    await name(null);
    await find(scope, id);
    await embedAll(scope, id);
    expect(await stored.within(scope).count({ fileId: id })).toBe(0);
    expect(await bytesOf(scope, id)).toBe(0);
  });

  test('has all other passages embedded if the model refuses one', async () => {
    const { scope, id } = await aFile(['poison', ...texts]);
    server.act = (response, { input }) => {
      if (input.includes('poison')) return void response.writeHead(400).end();
      const data = input.map((text) => ({ embedding: vectorOf(text) }));
      response.end(JSON.stringify({ data, usage: { prompt_tokens: 10 * input.length } }));
    };
    await find(scope, id);
    await embedAll(scope, id);
    expect(await find(scope, id)).toEqual(['The automobile stands in hall four.']);
    expect(await stateOf(scope, id)).toMatchObject({ next: 4, isWanted: false });
  });

  test('after eight failures of the model is tried again only when a question searches it', async () => {
    const jobs = new TestJobs(bench).with(embedFile, step);
    const { scope, id } = await aFile([...Array.from({ length: 70 }, (_, at) => `Van number${at}`), ...texts]);
    await find(scope, id);
    let failing = 7;
    server.act = (response, { input }) => {
      failing -= 1;
      if (failing >= 0) return void response.writeHead(500).end();
      const data = input.map((text) => ({ embedding: vectorOf(text) }));
      response.end(JSON.stringify({ data, usage: { prompt_tokens: 10 * input.length } }));
      if (failing < 0) failing = 8;
    };
    for (let times = 0; times < 20 && (await stateOf(scope, id))!.isWanted; times += 1) {
      clock.advance(61_000);
      await jobs.run();
    }
    expect([failing, await stateOf(scope, id)]).toMatchObject([0, { next: 64, isWanted: false }]);
    server.act = null;
    await find(scope, id);
    await jobs.run();
    expect(await stateOf(scope, id)).toMatchObject({ next: 73, isWanted: false });
  });

  test('gets none where the storage is full', async () => {
    const { scope, id } = await aFile();
    storage.usedBytes = storage.quotaBytes;
    await find(scope, id);
    await embedAll(scope, id);
    expect(await stored.within(scope).count({ fileId: id })).toBe(0);
    expect(await stateOf(scope, id)).toMatchObject({ isWanted: false });
  });
});

describe('a file that is erased', () => {
  const erase = async (scope: OrganisationScope, id: FileId) => {
    await work.run(job('tests'), async (tx) => files.beginErasing(scope, (await files.find(scope, id))!, tx));
    await passages.remove(scope, id);
    await work.run(job('tests'), (tx) => files.erase(scope, id, tx));
  };
  const left = async (scope: OrganisationScope, id: FileId) => [
    await stored.within(scope).count({ fileId: id }),
    await embeddings.within(scope).count({ _id: id }),
    await storageSource.count(mongo, scope),
  ];

  test('takes its vectors along', async () => {
    const { scope, id } = await aFile();
    await find(scope, id);
    await embedAll(scope, id);
    const bytes = 1_000 + (await bytesOf(scope, id));
    expect(await recounted(scope)).toEqual({ before: bytes, after: bytes });
    await erase(scope, id);
    expect(await left(scope, id)).toEqual([0, 0, 0]);
    expect(await recounted(scope)).toEqual({ before: 0, after: 0 });
  });

  test('frees what its vectors took, where they were never forgotten one by one', async () => {
    const { scope, id } = await aFile();
    await find(scope, id);
    await embedAll(scope, id);
    expect(await bytesOf(scope, id)).toBeGreaterThan(0);
    await work.run(job('tests'), async (tx) => files.beginErasing(scope, (await files.find(scope, id))!, tx));
    await work.run(job('tests'), (tx) => files.erase(scope, id, tx));
    expect(await recounted(scope)).toEqual({ before: 0, after: 0 });
  });

  test('while the model is asked gets no vector, and what was used is paid', async () => {
    const { scope, id } = await aFile();
    await find(scope, id);
    // The first step only takes the model on.
    await oneStep(id);
    server.act = (response, { input }) => {
      const data = input.map((text) => ({ embedding: vectorOf(text) }));
      const usage = { prompt_tokens: 10 * input.length };
      void erase(scope, id).then(() => response.end(JSON.stringify({ data, usage })));
    };
    await oneStep(id);
    expect(await ofPassages(scope)).toMatchObject([{ userId: owner, inputTokens: 30, outcome: 'done' }]);
    await embedAll(scope, id);
    expect(await left(scope, id)).toEqual([0, 0, 0]);
  });
});
