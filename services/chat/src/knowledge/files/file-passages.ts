import { Injectable } from '@nestjs/common';
import type { ChunkId, FileId, readFileText } from '@parley/contracts';
import { derivedId } from '@parley/platform/ids';
import { Mongo, type OrganisationScope, type Rows } from '@parley/platform/mongo';
import { giveWay } from '@parley/platform/give-way';
import { languageOf } from '@parley/platform/text';
import type { ResponseOf } from '@parley/protocol';
import { LRUCache } from 'lru-cache';
import { wordCounts, type Passage } from '../retrieval/index.ts';
import type { FileRow } from './file.collection.ts';
import { fileEmbeddingRows, fileVectorRows } from './file-embedding.collection.ts';
import { filePassageRows } from './file-passage.collection.ts';

const passagesAtOnce = 200;
/** Of all files: what is ranked often is not read again each time. The text of a file never changes. */
const mostCountedCharacters = 32_000_000;

/** A passage as it is ranked. */
export type Counted = { readonly id: ChunkId; readonly fileId: FileId; readonly counts: string };
type Part = { readonly from?: number | undefined; readonly chunkId?: ChunkId | undefined; readonly limit: number };
export type StoredPassage = Passage & { readonly id: ChunkId; readonly fileId: FileId };

/** Keeps the texts of files. Callers have checked access. */
@Injectable()
export class FilePassages {
  private readonly rows: Rows<typeof filePassageRows>;
  private readonly vectors: Rows<typeof fileVectorRows>;
  private readonly embeddings: Rows<typeof fileEmbeddingRows>;
  private readonly counted = new LRUCache<FileId, readonly Counted[]>({
    maxSize: mostCountedCharacters,
    sizeCalculation: (passages) => passages.reduce((sum, { counts }) => sum + counts.length, 1),
  });

  constructor(mongo: Mongo) {
    this.rows = mongo.rows(filePassageRows);
    this.vectors = mongo.rows(fileVectorRows);
    this.embeddings = mongo.rows(fileEmbeddingRows);
  }

  /** In place of what an earlier attempt has left. */
  async replace(
    scope: OrganisationScope,
    { fileId, passages }: { readonly fileId: FileId; readonly passages: readonly Passage[] },
    onStored: (count: number, of: number) => void = () => {},
  ): Promise<void> {
    await this.remove(scope, fileId);
    const language = languageOf(passages.map(({ text }) => text).join('\n'));
    for (let at = 0; at < passages.length; at += passagesAtOnce) {
      const some = passages
        .slice(at, at + passagesAtOnce)
        .map((passage, index) => ({
          ...passage,
          _id: derivedId('chunk', ['file', fileId, at + index]),
          orgId: scope.orgId,
          fileId,
          ordinal: at + index,
          wordCounts: wordCounts(passage, language),
        }));
      await this.rows.within(scope).insertMany(some);
      onStored(at + some.length, passages.length);
      await giveWay();
    }
  }

  /** With their vectors, in batches, so that it goes on where a process ended. */
  async remove(scope: OrganisationScope, fileId: FileId): Promise<void> {
    this.counted.delete(fileId);
    await this.rows.within(scope).deleteInBatches({ fileId });
    await this.vectors.within(scope).deleteInBatches({ fileId });
    // One that is being asked for is recorded first, then deleted by its worker.
    await this.embeddings.within(scope).deleteMany({ _id: fileId, asking: null });
  }

  /** The whole text of a file that is ready, in its order. */
  async textOf(scope: OrganisationScope, fileId: FileId): Promise<Passage[]> {
    return this.rows.within(scope).find({ fileId }, { sort: { ordinal: 1 }, fields: ['heading', 'text', 'place'] });
  }

  /** What those of a file that is ready are ranked by. */
  async countsOf(scope: OrganisationScope, fileId: FileId): Promise<readonly Counted[]> {
    const known = this.counted.get(fileId);
    if (known) return known;
    const rows = await this.rows.within(scope).find({ fileId }, { sort: { ordinal: 1 }, fields: ['wordCounts'] });
    const counted = rows.map(({ _id: id, wordCounts: counts }) => ({ id, fileId, counts }));
    if (counted.length > 0) this.counted.set(fileId, counted);
    return counted;
  }

  async findMany(scope: OrganisationScope, ids: readonly ChunkId[]): Promise<StoredPassage[]> {
    const rows = await this.rows.within(scope).find({ _id: { $in: ids } });
    return rows.map(({ _id: id, fileId, heading, text, place }) => ({
      id,
      fileId,
      heading,
      text,
      ...(place && { place }),
    }));
  }

  /** A passage with the text of those before and after it; null where the file has no such passage. */
  async around(scope: OrganisationScope, fileId: FileId, id: ChunkId) {
    const rows = this.rows.within(scope);
    const [row] = await rows.find({ _id: id, fileId });
    if (!row) return null;
    const { heading, text, place, ordinal } = row;
    const near = await rows.find(
      { fileId, ordinal: { $in: [ordinal - 1, ordinal + 1] } },
      { fields: ['ordinal', 'text'] },
    );
    const textAt = (at: number): string => near.find((one) => one.ordinal === at)?.text ?? '';
    return { heading, text, ...(place && { place }), before: textAt(ordinal - 1), after: textAt(ordinal + 1) };
  }

  /** A page of the text, in its order: from the index `from`, or the page that has the passage `chunkId`. */
  async part(
    scope: OrganisationScope,
    { fileId, passageCount }: Pick<FileRow, 'passageCount'> & { readonly fileId: FileId },
    { from, chunkId, limit }: Part,
  ): Promise<ResponseOf<typeof readFileText>> {
    const rows = this.rows.within(scope);
    const [holding] = chunkId ? await rows.find({ _id: chunkId, fileId }, { fields: ['ordinal'] }) : [];
    const first = from ?? Math.floor((holding?.ordinal ?? 0) / limit) * limit;
    const found = await rows.find(
      { fileId, ordinal: { $gte: first, $lt: first + limit } },
      { sort: { ordinal: 1 }, limit, fields: ['heading', 'text', 'place'] },
    );
    return {
      passages: found.map(({ _id, heading, text, place }) => ({
        chunkId: _id,
        heading,
        text,
        ...(place && { place }),
      })),
      previous: first > 0 ? Math.max(0, first - limit) : null,
      next: first + limit < passageCount ? first + limit : null,
    };
  }

  count(scope: OrganisationScope, fileId: FileId): Promise<number> {
    return this.rows.within(scope).count({ fileId });
  }
}
