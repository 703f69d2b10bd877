import { Injectable } from '@nestjs/common';
import type { ChunkId, FileId } from '@parley/contracts';
import { mostFilePassages } from '@parley/contracts/prompt-budget';
import type { OrganisationScope } from '@parley/platform/mongo';
import { Platform } from '@parley/platform/service';
import { job, Work } from '@parley/platform/work';
import { EmbeddingModels } from '../../assistants/models/index.ts';
import { MeaningSearch, type Asker } from '../embeddings/index.ts';
import { bestOf, leastSimilarity } from '../retrieval/index.ts';
import type { FileEmbeddingRow } from './file-embedding.collection.ts';
import type { FileRow } from './file.collection.ts';
import { FilesRepository } from './files.repository.ts';
import { FileVectors } from './file-vectors.ts';

const nothingSeen: ReadonlySet<number> = new Set();
const searching = job('wants vectors of files that are searched');
/** The vectors of files have no connection. */
const withinFiles = new Set([null]);

export type Close = { readonly id: ChunkId; readonly similarity: number };
type Wanted = {
  readonly ids: readonly FileId[];
  readonly question: string;
  readonly asker: Asker;
  readonly most: number;
};

/** Compares passages of files with a question by what they mean. */
@Injectable()
export class FileMeaning {
  constructor(
    private readonly files: FilesRepository,
    private readonly vectors: FileVectors,
    private readonly models: EmbeddingModels,
    private readonly meaning: MeaningSearch,
    private readonly work: Work,
    private readonly platform: Platform,
  ) {}

  /**
   * The closest passages, best first; null where words alone count. A file gets its vectors once a question searches it:
   * one that is always read in full costs nothing. Never rejects.
   */
  async nearest(scope: OrganisationScope, { ids, question, asker, most }: Wanted): Promise<Close[] | null> {
    try {
      const [model, known] = await Promise.all([this.models.of(scope, 'questions'), this.vectors.find(scope, ids)]);
      if (!model && known.length === 0) return null;
      await this.wantMissing(scope, { ids, known, of: model?.key ?? null });
      const place = new Map(ids.map((id, at) => [id, at]));
      const ready = known
        .filter(({ of, next }) => of === model?.key && next > 0)
        .toSorted((one, other) => place.get(one._id)! - place.get(other._id)!);
      if (!model || ready.length === 0 || question === '') return null;
      const asked = await this.meaning.vectorFor(scope, { text: question, asker, model });
      if (!asked) return null;
      const close: Close[] = [];
      let passages = 0;
      for (const row of ready) {
        if (passages >= mostFilePassages) break;
        const set = await this.vectors.setOf(scope, row);
        passages += set.size;
        const near = bestOf(await set.compare(asked, withinFiles), { most, least: leastSimilarity, but: nothingSeen });
        close.push(...near.map(({ at, similarity }) => ({ id: set.idAt(at), similarity })));
      }
      return close.toSorted((one, other) => other.similarity - one.similarity).slice(0, most);
    } catch (error) {
      this.platform.logger.warn({ orgId: scope.orgId, err: error }, 'files were searched by words only');
      return null;
    }
  }

  private async wantMissing(
    scope: OrganisationScope,
    { ids, known, of }: { ids: readonly FileId[]; known: readonly FileEmbeddingRow[]; of: FileEmbeddingRow['of'] },
  ): Promise<void> {
    const rowOf = new Map(known.map((row) => [row._id, row]));
    const open = ids.filter((id) => !rowOf.get(id)?.isWanted);
    const found = open.length > 0 ? await this.files.findMany(scope, open) : [];
    const missing = found.filter((file) => isMissing(file, rowOf.get(file._id), of));
    if (missing.length === 0) return;
    await this.work.run(searching, async (tx) => {
      for (const file of missing) await this.vectors.want(scope, file, tx);
    });
  }
}

/** Whether something of a file is to be embedded, or its vectors are to go. */
const isMissing = (
  { passageCount }: Pick<FileRow, 'passageCount'>,
  row: FileEmbeddingRow | undefined,
  of: FileEmbeddingRow['of'],
): boolean => (row?.of ?? null) !== of || (of !== null && (row?.next ?? 0) < passageCount);
