import { Injectable } from '@nestjs/common';
import type { FileId } from '@parley/contracts';
import { derivedId } from '@parley/platform/ids';
import { Mongo, toBinary, type OrganisationScope, type Rows, type Transaction } from '@parley/platform/mongo';
import { Quotas } from '@parley/platform/quotas';
import { LRUCache } from 'lru-cache';
import { passagesPerBatch } from '../embeddings/index.ts';
import { toBytes, VectorSet } from '../retrieval/index.ts';
import { fileRows, type FileRow } from './file.collection.ts';
import { fileEmbeddingRows, fileVectorRows, type FileEmbeddingRow } from './file-embedding.collection.ts';
import { embedFile } from './file-jobs.ts';
import { filePassageRows } from './file-passage.collection.ts';

/** Of all files: what is compared often is not read again each time. */
const mostBytesKept = 64 * 1024 ** 2;

export type Progress = Partial<Omit<FileEmbeddingRow, '_id' | 'orgId' | 'userId' | 'groupIds' | 'holder'>>;
type Batch = { readonly row: FileEmbeddingRow; readonly of: NonNullable<FileEmbeddingRow['of']> };

/** Vectors of the passages of files, and how far each file is with them. */
@Injectable()
export class FileVectors {
  private readonly embeddings: Rows<typeof fileEmbeddingRows>;
  private readonly vectors: Rows<typeof fileVectorRows>;
  private readonly passages: Rows<typeof filePassageRows>;
  private readonly files: Rows<typeof fileRows>;
  private readonly quotas: Quotas;
  private readonly kept = new LRUCache<string, VectorSet>({
    maxSize: mostBytesKept,
    sizeCalculation: ({ byteLength }) => byteLength + 1,
  });

  constructor(mongo: Mongo) {
    this.embeddings = mongo.rows(fileEmbeddingRows);
    this.vectors = mongo.rows(fileVectorRows);
    this.passages = mongo.rows(filePassageRows);
    this.files = mongo.rows(fileRows);
    this.quotas = new Quotas(mongo);
  }

  /** Of these files, as far as they were searched before. */
  find(scope: OrganisationScope, ids: readonly FileId[]): Promise<FileEmbeddingRow[]> {
    return this.embeddings.within(scope).find({ _id: { $in: ids } });
  }

  /** Queues the job of a file that has something to do. Idempotent. */
  async want(scope: OrganisationScope, { _id, userId, groupIds = [] }: FileRow, tx: Transaction): Promise<void> {
    const { orgId } = scope;
    const embeddings = this.embeddings.within(scope, tx);
    const wanted = { isWanted: true, holder: null, failures: 0 };
    const made = { of: null, next: 0, dimensions: null, batch: passagesPerBatch, asking: null };
    const { isNew } = await embeddings.insertOnce({ _id, orgId, userId, groupIds: [...groupIds], ...wanted, ...made });
    if (isNew || (await embeddings.update({ _id, isWanted: false }, { $set: wanted })))
      tx.queue(embedFile, { fileId: _id, orgId, userId });
  }

  /** Stores the file's progress. Returns false if the file is deleted. */
  keep(scope: OrganisationScope, fileId: FileId, set: Progress, tx: Transaction): Promise<boolean> {
    return this.embeddings.within(scope, tx).update({ _id: fileId }, { $set: { ...set, holder: null } });
  }

  /** The next passages of a file without vectors, in their order. */
  waiting(scope: OrganisationScope, { _id: fileId, next, batch }: FileEmbeddingRow) {
    return this.passages
      .within(scope)
      .find(
        { fileId, ordinal: { $gte: next } },
        { sort: { ordinal: 1 }, limit: batch, fields: ['heading', 'text', 'ordinal'] },
      );
  }

  /** The vectors of the passages from `next` on; false where the file's erasing has begun, then nothing is stored. */
  async store(
    scope: OrganisationScope,
    { row, of }: Batch,
    made: readonly (readonly number[])[],
    tx: Transaction,
  ): Promise<boolean> {
    const { _id: fileId, next: first } = row;
    const bytes = Buffer.concat(made.map((vector) => Buffer.from(toBytes(vector).buffer)));
    if (!(await this.count(scope, fileId, bytes.length, tx))) return false;
    await this.vectors
      .within(scope, tx)
      .insert({
        _id: `${fileId} ${first}`,
        orgId: scope.orgId,
        fileId,
        first,
        of,
        dimensions: made[0]!.length,
        vectors: toBinary(bytes),
      });
    return true;
  }

  /** Deletes the vectors of a file; it goes on where a process ended. */
  async forget(scope: OrganisationScope, fileId: FileId, tx: Transaction): Promise<void> {
    const vectors = this.vectors.within(scope, tx);
    const rows = await vectors.find({ fileId }, { fields: ['vectors'] });
    await vectors.deleteMany({ fileId });
    const bytes = rows.reduce((sum, { vectors: each }) => sum + each.length(), 0);
    if (bytes > 0) await this.count(scope, fileId, -bytes, tx);
  }

  /** Of a file that is gone. */
  async drop(scope: OrganisationScope, fileId: FileId): Promise<void> {
    await this.vectors.within(scope).deleteInBatches({ fileId });
    await this.embeddings.within(scope).deleteMany({ _id: fileId });
  }

  /** The vectors of a file in the order of its passages. */
  async setOf(scope: OrganisationScope, { _id: fileId, of, next, dimensions }: FileEmbeddingRow): Promise<VectorSet> {
    const key = `${fileId} ${of} ${next}`;
    const known = this.kept.get(key);
    if (known) return known;
    const set = new VectorSet(dimensions ?? 0);
    for (const row of await this.vectors.within(scope).find({ fileId }, { sort: { first: 1 } })) {
      if (row.of !== of) continue;
      const all = Int8Array.from(Int8Array.from(row.vectors.buffer).subarray(0, row.vectors.length()));
      for (let at = 0; at * row.dimensions < all.length; at += 1) {
        const id = derivedId('chunk', ['file', fileId, row.first + at]);
        set.add(id, null, all.subarray(at * row.dimensions, (at + 1) * row.dimensions));
      }
    }
    this.kept.set(key, set);
    return set;
  }

  /** As storage of the file, so that they go with it. */
  private async count(scope: OrganisationScope, fileId: FileId, by: number, tx: Transaction): Promise<boolean> {
    const counted = { _id: fileId, isErasing: false };
    if (!(await this.files.within(scope, tx).change(counted, { $inc: { vectorBytes: by } }))) return false;
    await this.quotas.add(scope, tx, { quota: 'storage', by, isBounded: false });
    return true;
  }
}
