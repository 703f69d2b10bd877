import { beforeAll, describe, expect, test } from '@jest/globals';
import type { DocumentId } from '@parley/contracts';
import type { Blobs } from '@parley/platform/blobs';
import { newId } from '@parley/platform/ids';
import type { Platform } from '@parley/platform/service';
import { job } from '@parley/platform/work';
import { silentLogger, TestJobs } from '@parley/testing';
import { chatBench } from '../../testing/chat-bench.spec-setup.ts';
import type { ChatSettings } from '../../chat.config.ts';
import { defaultConnectionIdOf } from '../connections/index.ts';
import type { Viewer } from '../../conversations/index.ts';
import { keepDeletedMs } from '../../keep-deleted.ts';
import { aViewer } from '../../testing/viewer.spec-setup.ts';
import { DeletedDocumentsService } from './deleted-documents.service.ts';
import { deletedDocumentsToJobs, eraseDocument, erasingOf } from './document-jobs.ts';
import { DocumentEraser } from './document-eraser.ts';
import { documentRows as collection, type DocumentRow } from './rows/document.collection.ts';
import { newDocument } from './rows/document.ts';
import { StorageQuota } from './storing/storage-quota.ts';

const bench = await chatBench();
const { documentRows, documents, mongo, retrieval, work, clock, ready } = bench;
/** Files that are there, by their key. */
const files = new Set<string>();
const blobs = { delete: async (key: string) => void files.delete(key) } as unknown as Blobs;
const platform = { logger: silentLogger() } as Platform;
const settings = { workers: 1, storagePerOrganisation: 1e9 } as ChatSettings;
const quota = new StorageQuota(mongo, blobs, settings, work, clock);
const eraser = new DocumentEraser(documentRows, retrieval, quota, work, clock);
const service = new DeletedDocumentsService(documentRows, documents, eraser, work, clock, platform);
beforeAll(ready);

/** Erases the documents whose time has come. */
const erase = () => new TestJobs(bench).with(eraseDocument, eraser).run();

const minuteMs = 60_000;
const keyOf = (orgId: string, id: string): string => `documents/${orgId}/${id}`.toLowerCase();
const within = ({ scope }: Viewer) => [defaultConnectionIdOf(scope.orgId)];

/** A searchable document of so many passages, with its file. */
async function put(viewer: Viewer, name: string, passages = 3): Promise<DocumentId> {
  const { scope } = viewer;
  const { orgId } = scope;
  const connectionId = defaultConnectionIdOf(orgId);
  const file = { id: newId('document'), orgId, connectionId, name, mediaType: 'text/plain', bytes: 9 } as const;
  const row = { ...newDocument(file, 'Ada', clock.now()), status: 'searchable' as const, passageCount: passages };
  await work.run(job('tests'), (tx) => documentRows.create(scope, row, tx));
  const texts = Array.from({ length: passages }, (_, at) => ({ heading: null, text: `heron number ${at}` }));
  await retrieval.replace(scope, { id: file.id, name, connectionId }, texts);
  files.add(keyOf(orgId, file.id));
  return file.id;
}
const withId = (viewer: Viewer, documentId: DocumentId) => ({ ...viewer, params: { documentId } }) as never;
const remove = (viewer: Viewer, id: DocumentId) => documents.delete(withId(viewer, id));
const restore = (viewer: Viewer, id: DocumentId) => documents.restore(withId(viewer, id));
const eraseNow = (viewer: Viewer, id: DocumentId) => service.erase(withId(viewer, id));
const listed = async (viewer: Viewer, query: object = {}) =>
  service.list({ ...viewer, query: { limit: 50, connectionId: within(viewer)[0], ...query } } as never);
const row = ({ scope }: Viewer, id: DocumentId) => documentRows.find(scope, id, { withDeleted: true });
const change = ({ scope }: Viewer, _id: DocumentId, $set: Partial<DocumentRow>) =>
  mongo
    .rows(collection)
    .within(scope)
    .update({ _id }, { $set: $set as never });
const left = async (viewer: Viewer, id: DocumentId) => ({
  row: (await row(viewer, id)) !== null,
  passages: await retrieval.countOf(viewer.scope, id),
  file: files.has(keyOf(viewer.scope.orgId, id)),
});
const whole = (passages: number) => ({ row: true, passages, file: true });
const nothing = { row: false, passages: 0, file: false };

describe('a document that was deleted', () => {
  test('is listed with the day on which it goes, whole until then, and erased afterwards', async () => {
    const viewer = aViewer();
    const id = await put(viewer, 'Plan.txt');
    const kept = await put(viewer, 'Kept.txt');
    await remove(viewer, id);
    const deletedAt = clock.now().toISOString();
    const eraseAt = new Date(clock.now().getTime() + keepDeletedMs).toISOString();
    expect((await listed(viewer)).items).toEqual([
      { id, name: 'Plan.txt', bytes: 9, isOfSource: false, deletedAt, eraseAt },
    ]);
    clock.advance(keepDeletedMs - 1);
    await erase();
    expect(await left(viewer, id)).toEqual(whole(3));
    clock.advance(1);
    await erase();
    expect(await left(viewer, id)).toEqual(nothing);
    expect(await left(viewer, kept)).toEqual(whole(3));
  });

  test('is found again as before when it is restored in time', async () => {
    const viewer = aViewer();
    const id = await put(viewer, 'Plan.txt');
    await remove(viewer, id);
    expect(await retrieval.search(viewer.scope, within(viewer), 'heron', 9)).toEqual([]);
    await restore(viewer, id);
    clock.advance(2 * keepDeletedMs);
    await erase();
    expect(await retrieval.search(viewer.scope, within(viewer), 'heron', 9)).toHaveLength(3);
    expect((await listed(viewer)).items).toEqual([]);
  });

  test('is restored while the job holds an old list, and stays whole', async () => {
    const viewer = aViewer();
    const id = await put(viewer, 'Plan.txt');
    await remove(viewer, id);
    const seen = (await row(viewer, id))!;
    await restore(viewer, id);
    await eraser.erase(seen);
    expect(await left(viewer, id)).toEqual(whole(3));
  });

  test('is neither restored nor replaced by its source once its erasing has begun, whoever ended meanwhile', async () => {
    const viewer = aViewer();
    const id = await put(viewer, 'Plan.txt', 60);
    await remove(viewer, id);
    const begun = await work.run(job('tests'), async (tx) => {
      tx.queue(eraseDocument, erasingOf((await row(viewer, id))!));
      return documentRows.beginErasing(viewer.scope, id, tx);
    });
    await expect(restore(viewer, id)).rejects.toMatchObject({ code: 'chat.document-not-found' });
    const newer = newDocument({ ...begun!, id, connectionId: within(viewer)[0]! }, 'Ada', clock.now());
    expect(await work.run(job('tests'), (tx) => documentRows.replace(viewer.scope, newer, tx))).toBeNull();
    expect((await listed(viewer)).items).toEqual([]);
    await erase();
    expect(await left(viewer, id)).toEqual(nothing);
  });
});

test('a document that an earlier version has deleted is erased after its seven days, or at once where that had begun', async () => {
  const viewer = aViewer();
  const [old, begun, kept] = [await put(viewer, 'a.txt'), await put(viewer, 'b.txt'), await put(viewer, 'c.txt')];
  for (const id of [old, begun]) await remove(viewer, id);
  await change(viewer, begun, { isErasing: true });
  await mongo.connection.collection('jobs').deleteMany({});
  for (let again = 0; again < 2; again += 1)
    for (let at: string | null = null; (at = await deletedDocumentsToJobs.batch(mongo, at)) !== null;);
  await erase();
  expect([await left(viewer, old), await left(viewer, begun)]).toEqual([whole(3), nothing]);
  clock.advance(keepDeletedMs);
  await erase();
  expect([await left(viewer, old), await left(viewer, kept)]).toEqual([nothing, whole(3)]);
});

describe('erasing at once', () => {
  test('frees passages and file before it answers; a second time there is nothing', async () => {
    const viewer = aViewer();
    const id = await put(viewer, 'Plan.txt', 120);
    await expect(eraseNow(viewer, id)).rejects.toMatchObject({ code: 'platform.conflict' });
    await remove(viewer, id);
    await expect(eraseNow(aViewer(), id)).rejects.toMatchObject({ code: 'chat.document-not-found' });
    expect(await left(viewer, id)).toEqual(whole(120));
    await eraseNow(viewer, id);
    expect(await left(viewer, id)).toEqual(nothing);
    await expect(eraseNow(viewer, id)).rejects.toMatchObject({ code: 'chat.document-not-found' });
  });

  test('waits for the reader that indexes it, so that nothing of it is found afterwards', async () => {
    const viewer = aViewer();
    const id = await put(viewer, 'Plan.txt');
    await remove(viewer, id);
    const until = new Date(clock.now().getTime() + 2 * minuteMs);
    await change(viewer, id, { status: 'reading', leaseUntil: until });
    await eraseNow(viewer, id);
    await erase();
    expect(await left(viewer, id)).toEqual(whole(3));
    clock.advance(2 * minuteMs + 1);
    await erase();
    expect(await left(viewer, id)).toEqual(nothing);
  });

  test('lists page by page, last deleted first, of one connection', async () => {
    const viewer = aViewer();
    const ids: DocumentId[] = [];
    for (const name of ['a.txt', 'b.txt', 'c.txt']) {
      const id = await put(viewer, name);
      clock.advance(1_000);
      await remove(viewer, id);
      ids.unshift(id);
    }
    const first = await listed(viewer, { limit: 2 });
    const rest = await listed(viewer, { limit: 2, cursor: first.nextCursor });
    expect([...first.items, ...rest.items].map(({ id }) => id)).toEqual(ids);
    expect((await listed(viewer, { connectionId: newId('connection') })).items).toEqual([]);
  });
});
