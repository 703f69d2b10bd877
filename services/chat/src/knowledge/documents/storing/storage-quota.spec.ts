import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { FolderBlobs } from '@parley/platform/blobs';
import { newId } from '@parley/platform/ids';
import type { OrganisationScope } from '@parley/platform/mongo';
import type { Platform } from '@parley/platform/service';
import { fillQuotaCounters, Quotas } from '@parley/platform/quotas';
import { job } from '@parley/platform/work';
import { eventually, oneAttempt, silentLogger, TestJobs } from '@parley/testing';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { chatBench } from '../../../testing/chat-bench.spec-setup.ts';
import type { ChatSettings } from '../../../chat.config.ts';
import type { Viewer } from '../../../conversations/index.ts';
import { PassageVectors } from '../../retrieval/index.ts';
import { aViewer } from '../../../testing/viewer.spec-setup.ts';
import { DocumentEraser } from '../document-eraser.ts';
import { eraseDocument } from '../document-jobs.ts';
import { DocumentReader } from '../reading/document-reader.ts';
import { Readers } from '../reading/readers.ts';
import { readFile, readLongFile } from '../reading/reading-jobs.ts';
import { DocumentsService } from '../documents.service.ts';
import { StorageQuota } from './storage-quota.ts';
import { documentStorage, documentTextBytes } from './storage-source.ts';

const bench = await chatBench();
const { mongo, documentRows, retrieval, readable, connectionRepository, work, clock, ready } = bench;
const folder = mkdtempSync(join(tmpdir(), 'parley-quota-'));
const blobs = await FolderBlobs.open(folder);
const quotaBytes = 10_000;
const quota = new StorageQuota(mongo, blobs, { storagePerOrganisation: quotaBytes } as ChatSettings, work, clock);
const parts = [documentRows, retrieval, readable, connectionRepository, quota] as const;
const documents = new DocumentsService(...parts, work, clock);
const vectors = new PassageVectors(mongo);
const processes: TestJobs[] = [];
beforeAll(ready);
afterEach(async () => {
  for (const one of processes.splice(0)) await one.end();
});
afterAll(() => rmSync(folder, { recursive: true }));

const full = { code: 'chat.storage-quota-reached', extras: { retryAfterSeconds: 3_600 } };
/** As long a text as that, of one paragraph. */
const text = (bytes: number): string => 'heron '.repeat(Math.ceil(bytes / 6)).slice(0, bytes - 1) + '.';
const upload = (viewer: Viewer, bytes: number, id = newId('document')) =>
  documents.upload({
    ...viewer,
    query: { id, name: 'Plan.txt' },
    request: Readable.from([Buffer.from(text(bytes))]),
  } as never);
const given = (viewer: Viewer, documentId: string, more: object = {}) =>
  ({ ...viewer, params: { documentId }, ...more }) as never;
const replace = (viewer: Viewer, { id }: { id: string }, bytes: number) =>
  documents.replace(
    given(viewer, id, { query: { name: 'Plan.txt' }, request: Readable.from([Buffer.from(text(bytes))]) }),
  );
const used = async ({ scope }: Viewer) => (await quota.read(scope)).usedBytes;
/** What is there, counted again, agrees with the counter. */
const recounted = async (scope: OrganisationScope): Promise<void> => {
  const found = await new Quotas(mongo).recount(scope, documentStorage, () => documentStorage.count(mongo, scope));
  expect(found!.before).toBe(found!.after);
};
async function aReader(): Promise<void> {
  const platform = { logger: silentLogger() } as unknown as Platform;
  const settings = { workers: 1, quickReadMs: 600_000 } as ChatSettings;
  const own = new Readers(work, clock);
  new DocumentReader(documentRows, documents, retrieval, blobs, work, clock, settings, platform, own).onModuleInit();
  const jobs = new TestJobs(bench).with(readFile, own).with(readLongFile, own);
  processes.push(jobs);
  await jobs.start();
}
/** Lists the files of documents that an organisation has on the disk. */
const filesOf = ({ scope }: Viewer): string[] =>
  readdirSync(join(folder, 'documents', scope.orgId.toLowerCase()), { recursive: true, encoding: 'utf8' });
const find = ({ scope }: Viewer, { id }: { id: string }) =>
  documentRows.find(scope, id as never, { withDeleted: true });
const untilIs = (viewer: Viewer, made: { id: string }, status: string) =>
  eventually(async () => (await find(viewer, made))?.status === status, `the document is ${status}`);

describe('uploading', () => {
  test('succeeds up to the quota and is refused above it, before anything is kept', async () => {
    const viewer = aViewer();
    await upload(viewer, 6_000);
    await upload(viewer, 4_000);
    const refused = newId('document');
    await expect(upload(viewer, 1, refused)).rejects.toMatchObject({
      ...full,
      message: expect.stringContaining('Delete documents'),
    });
    expect(await find(viewer, { id: refused })).toBeNull();
    expect(await used(viewer)).toBe(quotaBytes);
    await recounted(viewer.scope);
  });

  test('of what reaches beyond the quota keeps nothing', async () => {
    const viewer = aViewer();
    await upload(viewer, 6_000);
    const id = newId('document');
    await expect(upload(viewer, 4_001, id)).rejects.toMatchObject(full);
    expect(filesOf(viewer)).toHaveLength(1);
  });

  test('at the same time finds one last place', async () => {
    const viewer = aViewer();
    const ids = [newId('document'), newId('document')];
    const both = await Promise.allSettled(ids.map((id) => upload(viewer, 6_000, id)));
    expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    expect(both.find(({ status }) => status === 'rejected')).toMatchObject({ reason: full });
    expect(await used(viewer)).toBe(6_000);
    const lost = ids[both.findIndex(({ status }) => status === 'rejected')]!;
    expect(filesOf(viewer).filter((name) => name.includes(lost.toLowerCase()))).toEqual([]);
    expect(filesOf(viewer)).toHaveLength(1);
  });

  test('a newer version counts instead of the older one, and keeps it where it does not fit', async () => {
    const viewer = aViewer();
    const made = await upload(viewer, 6_000);
    await replace(viewer, made, 10_000);
    expect(await used(viewer)).toBe(10_000);
    await expect(replace(viewer, made, 10_001)).rejects.toMatchObject(full);
    expect(await find(viewer, made)).toMatchObject({ bytes: 10_000 });
    await replace(viewer, made, 100);
    expect(await used(viewer)).toBe(100);
  });

  test('another ceiling takes effect at once, and lists and deletions go on below what is used', async () => {
    const viewer = aViewer();
    const made = await upload(viewer, 6_000);
    await new Quotas(mongo).setCeiling(viewer.scope, 'storage', 1_000);
    expect(await quota.read(viewer.scope)).toEqual({ usedBytes: 6_000, quotaBytes: 1_000 });
    await expect(upload(viewer, 1)).rejects.toMatchObject(full);
    expect((await documents.list({ ...viewer, query: { limit: 10 } } as never)).items).toHaveLength(1);
    await documents.delete(given(viewer, made.id));
    await documents.restore(given(viewer, made.id));
    await documents.delete(given(viewer, made.id));
    await new Quotas(mongo).setCeiling(viewer.scope, 'storage', null);
  });
});

describe('a document', () => {
  test('counts its file and its texts until it is erased, seven days after it was deleted', async () => {
    const viewer = aViewer();
    const made = await upload(viewer, 600);
    await aReader();
    await untilIs(viewer, made, 'searchable');
    const read = await used(viewer);
    expect(read).toBeGreaterThan(1_150);
    await recounted(viewer.scope);
    await documents.delete(given(viewer, made.id));
    expect(await used(viewer)).toBe(read);
    clock.advance(8 * 24 * 3_600_000);
    const runner = new DocumentEraser(documentRows, retrieval, quota, work, clock);
    await oneAttempt(bench, { job: eraseDocument, key: made.id, runner });
    expect(await used(viewer)).toBe(0);
    await recounted(viewer.scope);
  });

  test('whose text does not fit fails with the reason, and is read when there is room', async () => {
    const viewer = aViewer();
    const made = await upload(viewer, 6_000);
    await aReader();
    await untilIs(viewer, made, 'failed');
    expect(await find(viewer, made)).toMatchObject({ failure: 'over-quota', passageCount: 0 });
    expect(await used(viewer)).toBe(6_000);
    await new Quotas(mongo).setCeiling(viewer.scope, 'storage', 20_000);
    await documents.retry(given(viewer, made.id));
    await aReader();
    await untilIs(viewer, made, 'searchable');
    await recounted(viewer.scope);
  });

  test('counts its embeddings until they or its passages go', async () => {
    const viewer = aViewer();
    const made = await upload(viewer, 600);
    await aReader();
    await untilIs(viewer, made, 'searchable');
    const before = await used(viewer);
    const waiting = await vectors.waiting(viewer.scope, 10);
    const embed = () =>
      work.run(job('tests'), (tx) =>
        vectors.store(
          viewer.scope,
          {
            of: `${newId('provider')}/embed` as never,
            revision: 1,
            passages: waiting,
            vectors: waiting.map(() => [0.5, 0.5, 0.5, 0.5]),
          },
          tx,
        ),
      );
    await embed();
    expect(await used(viewer)).toBe(before + 4 * waiting.length);
    await recounted(viewer.scope);
    await work.run(job('tests'), (tx) => vectors.forget(viewer.scope, tx));
    expect(await used(viewer)).toBe(before);
    await embed();
    await retrieval.remove(viewer.scope, made.id);
    expect(await used(viewer)).toBe(before);
    await recounted(viewer.scope);
  });
});

test('a migration counts what earlier versions have stored', async () => {
  const viewer = aViewer();
  const made = await upload(viewer, 600);
  await aReader();
  await untilIs(viewer, made, 'searchable');
  const before = await used(viewer);
  await mongo.connection.collection('documents').updateMany({}, { $unset: { textBytes: 1 } });
  await mongo.connection.collection('quota_counters').deleteMany({});
  for (const { batch } of [documentTextBytes, fillQuotaCounters(documentStorage)])
    for (let cursor = await batch(mongo, null); cursor !== null;) cursor = await batch(mongo, cursor);
  expect(await used(viewer)).toBe(before);
});
