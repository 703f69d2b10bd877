import type { DocumentId } from '@parley/contracts';
import { FolderBlobs } from '@parley/platform/blobs';
import { newId } from '@parley/platform/ids';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { chatBench } from '../../testing/chat-bench.spec-setup.ts';
import type { ChatSettings } from '../../chat.config.ts';
import type { Viewer } from '../../conversations/index.ts';
import { DocumentEraser } from './document-eraser.ts';
import { blobKey } from './rows/document.ts';
import { DocumentsService } from './documents.service.ts';
import { pendingFileRows } from './rows/pending-file.collection.ts';
import { StorageQuota } from './storing/storage-quota.ts';
import { documentStorage } from './storing/storage-source.ts';
import { SyncedDocuments } from './synced-documents.ts';

const quotaBytes = 10_000;
export const text = (bytes: number): Buffer => Buffer.alloc(bytes, 'heron ');

/** Documents whose files lie in a folder, with a quota of 10,000 bytes. */
export async function documentFilesBench() {
  const bench = await chatBench();
  const { mongo, documentRows, retrieval, readable, connectionRepository, work, clock, ready } = bench;
  const folder = mkdtempSync(join(tmpdir(), 'parley-files-'));
  const blobs = await FolderBlobs.open(folder);
  const settings = { workers: 1, storagePerOrganisation: quotaBytes } as ChatSettings;
  const quota = new StorageQuota(mongo, blobs, settings, work, clock);
  const parts = [documentRows, retrieval, readable, connectionRepository, quota] as const;
  const documents = new DocumentsService(...parts, work, clock);
  const synced = new SyncedDocuments(documentRows, documents, retrieval, quota, work, clock);
  const eraser = new DocumentEraser(documentRows, retrieval, quota, work, clock);

  const files = (): string[] =>
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ name }) => name);
  const given = (content: Buffer | Readable): Readable =>
    Buffer.isBuffer(content) ? Readable.from([content]) : content;
  const upload = (viewer: Viewer, content: Buffer | Readable, id: DocumentId = newId('document')) =>
    documents.upload({ ...viewer, query: { id, name: 'Plan.txt' }, request: given(content) } as never);
  const replace = (viewer: Viewer, documentId: DocumentId, content: Buffer | Readable) => {
    const query = { name: 'Plan.txt' };
    return documents.replace({ ...viewer, params: { documentId }, query, request: given(content) } as never);
  };
  async function erase(viewer: Viewer, documentId: DocumentId): Promise<void> {
    await documents.delete({ ...viewer, params: { documentId } } as never);
    await eraser.erase((await documentRows.find(viewer.scope, documentId, { withDeleted: true }))!);
  }
  /** Returns the size in bytes of the file that a download returns. */
  async function sizeOf({ scope }: Viewer, id: DocumentId): Promise<number> {
    const row = await documentRows.find(scope, id);
    return (await buffer((await blobs.get(blobKey(row!)))!)).length;
  }
  /** Returns the counted bytes, by the counter and counted again, and the number of files without a row. */
  async function state({ scope }: Pick<Viewer, 'scope'>) {
    const { usedBytes } = await quota.read(scope);
    const counted = await documentStorage.count(mongo, scope);
    return { usedBytes, counted, pending: await mongo.rows(pendingFileRows).within(scope).count({}) };
  }
  const close = () => rmSync(folder, { recursive: true });
  const acts = { upload, replace, erase, sizeOf, state, files, ready, close };
  return { ...acts, mongo, documentRows, documents, synced, eraser, blobs, quota, work, clock };
}
