import { Injectable } from '@nestjs/common';
import type { ChunkId, DocumentId } from '@parley/contracts';
import { Clock } from '@parley/platform/clock';
import { newId } from '@parley/platform/ids';
import { Mongo, type OrganisationScope, type PlatformScope, type Rows, type Transaction } from '@parley/platform/mongo';
import { searchKeys, tokenise } from '@parley/platform/text';
import { chunkRows, type ChunkRow } from './chunk.collection.ts';
import { inverseFrequency, keyScore, textScore } from './ranking.ts';
import { RetrievalIndex, type FoundPassage, type Passage, type PassageInContext } from './retrieval-index.ts';

const batchSize = 200;
const mostTerms = 24;
/** Terms that are looked up for candidates: the rarest ones; the others still count in the score. */
const candidateTerms = 6;
const candidatesPerTerm = 120;
const rereadCandidates = 24;
/** Counting stops here: beyond it a term is simply common. */
const countLimit = 2_000;
const contextCharacters = 600;

/**
 * `RetrievalIndex` on the service's own store: candidates by the rarest words, first ranked by keys, the best re-ranked
 * by BM25.
 */
@Injectable()
export class KeywordIndex extends RetrievalIndex {
  private readonly chunks: Rows<typeof chunkRows>;

  constructor(
    mongo: Mongo,
    private readonly clock: Clock,
  ) {
    super();
    this.chunks = mongo.rows(chunkRows);
  }

  async replace(
    scope: OrganisationScope,
    document: { id: DocumentId; name: string },
    passages: readonly Passage[],
  ): Promise<void> {
    const chunks = this.chunks.within(scope);
    await chunks.deleteMany({ documentId: document.id });
    const createdAt = this.clock.now();
    for (let at = 0; at < passages.length; at += batchSize) {
      const rows = passages.slice(at, at + batchSize).map((passage, index): ChunkRow => {
        const keys = searchKeys([scope.orgId], `${document.name} ${passage.heading ?? ''} ${passage.text}`);
        return {
          _id: newId('chunk'),
          orgId: scope.orgId,
          documentId: document.id,
          documentName: document.name,
          index: at + index,
          ...passage,
          searchKeys: keys,
          isHidden: true,
          createdAt,
        };
      });
      await chunks.insertMany(rows);
    }
    await this.setHidden(scope, document.id, false);
  }

  async setHidden(
    scope: OrganisationScope,
    documentId: DocumentId,
    isHidden: boolean,
    tx?: Transaction,
  ): Promise<void> {
    await this.chunks.within(scope, tx).updateMany({ documentId }, { $set: { isHidden } });
  }

  async remove(scope: OrganisationScope | PlatformScope, documentId: DocumentId): Promise<void> {
    await this.chunks.within(scope).deleteMany({ documentId });
  }

  async search(scope: OrganisationScope, query: string, limit: number): Promise<FoundPassage[]> {
    const terms = [...new Set(tokenise(query))].slice(0, mostTerms);
    const counted = await Promise.all(
      terms.map(async (term) => ({ term, matching: await this.countTerm(scope, term) })),
    );
    const known = counted
      .filter(({ matching }) => matching > 0)
      .toSorted((one, other) => one.matching - other.matching);
    if (known.length === 0) return [];
    const all = Math.max(await this.count(scope, countLimit * 2), 1);
    const weights = new Map(known.map(({ term, matching }) => [term, inverseFrequency(matching, all)]));
    const best = await this.bestByKeys(scope, [...weights.keys()].slice(0, candidateTerms), weights);
    const rows = await this.chunks.within(scope).find({ _id: { $in: best }, isHidden: false });
    const averageLength = rows.reduce((sum, row) => sum + row.text.length / 6, 0) / Math.max(rows.length, 1);
    const ranked = rows.map((row) => ({
      row,
      score: textScore(`${row.heading ?? ''} ${row.text}`, weights, averageLength),
    }));
    return ranked
      .filter(({ score }) => score > 0)
      .toSorted((one, other) => other.score - one.score)
      .slice(0, limit)
      .map(({ row }) => toFound(row));
  }

  async find(scope: OrganisationScope, chunkId: ChunkId): Promise<PassageInContext | null> {
    const chunks = this.chunks.within(scope);
    const row = await chunks.findOne({ _id: chunkId, isHidden: false });
    if (!row) return null;
    const { documentId } = row;
    const around = await chunks.find({ documentId, index: { $in: [row.index - 1, row.index + 1] } });
    const textAt = (index: number) => around.find((other) => other.index === index)?.text ?? '';
    return {
      ...toFound(row),
      before: textAt(row.index - 1).slice(-contextCharacters),
      after: textAt(row.index + 1).slice(0, contextCharacters),
      indexedAt: row.createdAt,
    };
  }

  async count(scope: OrganisationScope, limit: number): Promise<number> {
    return this.chunks.within(scope).count({}, { limit });
  }

  private async countTerm(scope: OrganisationScope, term: string): Promise<number> {
    return this.chunks.within(scope).count({ searchKeys: `${scope.orgId}|${term}` }, { limit: countLimit });
  }

  private async bestByKeys(
    scope: OrganisationScope,
    terms: readonly string[],
    weights: ReadonlyMap<string, number>,
  ): Promise<ChunkId[]> {
    const keyWeights = new Map([...weights].map(([term, weight]) => [`${scope.orgId}|${term}`, weight]));
    const found = await Promise.all(
      terms.map((term) =>
        this.chunks
          .within(scope)
          .find(
            { searchKeys: `${scope.orgId}|${term}`, isHidden: false },
            { sort: { createdAt: -1 }, limit: candidatesPerTerm, fields: ['searchKeys'] },
          ),
      ),
    );
    const scores = new Map(found.flat().map((row) => [row._id, keyScore(row.searchKeys, keyWeights)]));
    return [...scores]
      .toSorted(([, one], [, other]) => other - one)
      .slice(0, rereadCandidates)
      .map(([id]) => id);
  }
}

function toFound({ _id, documentId, documentName, heading, text }: ChunkRow): FoundPassage {
  return { chunkId: _id, documentId, documentName, heading, text };
}
