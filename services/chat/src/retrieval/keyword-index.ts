import { Injectable } from '@nestjs/common';
import type { ChunkId, ConnectionId, DocumentId } from '@parley/contracts';
import { Clock } from '@parley/platform/clock';
import { newId } from '@parley/platform/ids';
import {
  jobScope,
  Mongo,
  type OrganisationScope,
  type PlatformScope,
  type Rows,
  type Transaction,
} from '@parley/platform/mongo';
import { askedWords, languageOf, searchKeys, searchScope, type StemmedLanguage } from '@parley/platform/text';
import { job, Work } from '@parley/platform/work';
import { asKept, inConnections } from '../connections/index.ts';
import { chunkRows, type ChunkRow, type NewChunk } from './chunk.collection.ts';
import { passageVectorRows } from './passage-vector.collection.ts';
import { toPlaced } from './to-placed.ts';
import { byStem, inverseFrequency, lengthIn, relevance, wordCounts, type Weighed } from './ranking.ts';
import {
  RetrievalIndex,
  type FoundPassage,
  type IndexedDocument,
  type Passage,
  type PassageInContext,
  type Within,
} from './retrieval-index.ts';

/** So many rows of the index are written in one transaction, or those of one passage: others wait for some 20 ms. */
export const keysPerInsert = 4_000;
/** So many passages are shown and hidden in one transaction: others wait for some 100 ms. More are by and by. */
const passagesPerTurn = 600;
/** Passages that are deleted in one transaction, with the rows that they have in the index. */
const passagesPerDelete = 25;
const mostWords = 24;
/** Words that are looked up for candidates: the rarest ones; the others still count in the score. */
const candidateWords = 6;
const candidatesPerStem = 80;
/** Where the rarer words have so many, the commoner ones add none that is likelier. */
const enoughCandidates = 200;
/** A word that no passage holds may be another word for what one holds. */
const unheldWeight = 0.85;
/** What scores less than this part of the best is beside the question. */
const leastOfBest = 0.4;
/** Counting stops here: beyond it a word is simply common. */
const countLimit = 2_000;
const contextCharacters = 600;

/** How rare a word is counts for its weight only: it is counted by the index, without reading a row. */
const indexing = job('indexes documents');
const everywhere = jobScope('how rare a word is among the passages of some connections');

type Asked = Weighed & { readonly held: readonly { readonly stem: string; readonly count: number }[] };

/**
 * `RetrievalIndex` on the service's own store: candidates by the rarest words, ranked by BM25 from the counts of their
 * words; texts are read of the best only.
 */
@Injectable()
export class KeywordIndex extends RetrievalIndex {
  private readonly chunks: Rows<typeof chunkRows>;
  private readonly vectors: Rows<typeof passageVectorRows>;

  constructor(
    mongo: Mongo,
    private readonly clock: Clock,
    private readonly work: Work,
  ) {
    super();
    this.chunks = mongo.rows(chunkRows);
    this.vectors = mongo.rows(passageVectorRows);
  }

  async replace(
    scope: OrganisationScope,
    document: IndexedDocument,
    passages: readonly Passage[],
    onStored: (count: number, of: number) => void = () => {},
  ): Promise<void> {
    const before = await this.chunks.within(scope).find({ documentId: document.id }, { fields: ['_id'] });
    const { orgId } = scope;
    const owner = {
      orgId,
      connectionId: asKept(orgId, document.connectionId),
      searchScope: scopeOfWords(scope, document.connectionId),
      documentId: document.id,
      documentName: document.name,
      ...(document.asOf && { asOf: document.asOf }),
    };
    const createdAt = this.clock.now();
    const language = languageOf(passages.map(({ text }) => text).join('\n'));
    const toRow = (passage: Passage, index: number): NewChunk => ({
      ...owner,
      ...passage,
      _id: newId('chunk'),
      index,
      language,
      searchKeys: passageKeys(document.name, passage, language),
      wordCounts: wordCounts(passage, language),
      isHidden: true,
      hasVector: null,
      createdAt,
    });
    const stored: ChunkId[] = [];
    for (const rows of inserts(passages, toRow)) {
      await this.chunks.within(scope).insertMany(rows);
      stored.push(...rows.map(({ _id }) => _id));
      onStored(stored.length, passages.length);
    }
    const show = async (tx?: Transaction): Promise<void> => {
      const chunks = this.chunks.within(scope, tx);
      await chunks.updateMany({ documentId: document.id, isHidden: false }, { $set: { isHidden: true } });
      await chunks.updateMany({ _id: { $in: stored } }, { $set: { isHidden: false } });
    };
    await (before.length + stored.length > passagesPerTurn ? show() : this.work.run(indexing, show));
    for (let at = 0; at < before.length; at += passagesPerDelete)
      await this.delete(scope, before.slice(at, at + passagesPerDelete));
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
    const chunks = this.chunks.within(scope);
    for (let isMore = true; isMore;) {
      const some = await chunks.find({ documentId }, { limit: passagesPerDelete, fields: ['_id'] });
      await this.delete(scope, some);
      isMore = some.length === passagesPerDelete;
    }
  }

  async search(scope: OrganisationScope, within: Within, question: string, limit: number): Promise<FoundPassage[]> {
    const words = await this.weighed(scope, within, question);
    const known = words.filter(({ held }) => held.length > 0).toSorted((one, other) => other.weight - one.weight);
    if (known.length === 0) return [];
    const filters = lookedUp(known).map((stem) => holding(scope, within, stem));
    const candidates = await this.candidates(scope, filters);
    const ranked = rankedBy(candidates, { words: byStem(known), asked: words });
    const least = (ranked[0]?.score ?? 0) * leastOfBest;
    const best = ranked.filter(({ score }) => score > 0 && score >= least).slice(0, limit);
    const rows = await this.chunks.within(scope).find({ _id: { $in: best.map(({ id }) => id) }, isHidden: false });
    const rowOf = new Map(rows.map((row) => [row._id, row]));
    return best.flatMap(({ id, score, coverage }) => {
      const row = rowOf.get(id);
      return row ? { ...toPlaced(row), score, coverage } : [];
    });
  }

  /** The words of a question, by how few passages hold them; `held` are the stems that any does. */
  private async weighed(scope: OrganisationScope, within: Within, question: string): Promise<Asked[]> {
    const words = askedWords(question).slice(0, mostWords);
    if (words.length === 0) return [];
    const [all, ...counts] = await Promise.all([
      this.chunks.within(scope).count(inConnections(scope.orgId, within), { limit: countLimit * 2 }),
      ...words.map(({ stems }) => Promise.all(stems.map((stem) => this.countStem(scope, within, stem)))),
    ]);
    return words.map((word, at) => {
      const counted = counts[at] ?? [];
      const matching = counted.reduce((sum, count) => sum + count, 0);
      const weight = inverseFrequency(Math.min(matching, all), Math.max(all, 1)) * (matching === 0 ? unheldWeight : 1);
      const held = word.stems
        .map((stem, index) => ({ stem, count: counted[index] ?? 0 }))
        .filter(({ count }) => count > 0);
      return { ...word, weight, held };
    });
  }

  async find(scope: OrganisationScope, within: Within, chunkId: ChunkId): Promise<PassageInContext | null> {
    const chunks = this.chunks.within(scope);
    const row = await chunks.findOne({ _id: chunkId, ...inConnections(scope.orgId, within), isHidden: false });
    if (!row) return null;
    const { documentId } = row;
    const around = await chunks.find({ documentId, index: { $in: [row.index - 1, row.index + 1] } });
    const textAt = (index: number) => around.find((other) => other.index === index)?.text ?? '';
    return {
      ...toPlaced(row),
      before: textAt(row.index - 1).slice(-contextCharacters),
      after: textAt(row.index + 1).slice(0, contextCharacters),
      asOf: row.asOf ?? null,
      indexedAt: row.createdAt,
    };
  }

  async countIn(scope: OrganisationScope, connectionId: ConnectionId): Promise<number> {
    return this.chunks.within(scope).count(inConnections(scope.orgId, [connectionId]));
  }

  async countOf(scope: OrganisationScope, documentId: DocumentId): Promise<number> {
    return this.chunks.within(scope).count({ documentId });
  }

  async count(scope: OrganisationScope, limit: number): Promise<number> {
    return this.chunks.within(scope).count({}, { limit });
  }

  private async countStem(scope: OrganisationScope, within: Within, stem: string): Promise<number> {
    return this.chunks.within(everywhere).count(frontOf(scope, within, stem), { limit: countLimit });
  }

  private async delete(
    scope: OrganisationScope | PlatformScope,
    some: readonly Pick<ChunkRow, '_id'>[],
  ): Promise<void> {
    const gone = { _id: { $in: some.map(({ _id }) => _id) } };
    await this.work.run(indexing, async (tx) => {
      await this.vectors.within(scope, tx).deleteMany(gone);
      await this.chunks.within(scope, tx).deleteMany(gone);
    });
  }

  /** The counts of their words. */
  private async candidates(scope: OrganisationScope, filters: readonly ReturnType<typeof holding>[]): Promise<Counted> {
    const chunks = this.chunks.within(scope);
    const found = await Promise.all(
      filters.map((filter) =>
        chunks.find(
          { ...filter, isHidden: false },
          { sort: { createdAt: -1 }, limit: candidatesPerStem, fields: ['wordCounts'] },
        ),
      ),
    );
    const counted = new Map(found.flat().map((row) => [row._id, row.wordCounts]));
    const uncounted = [...counted].flatMap(([id, counts]) => (counts === undefined ? id : []));
    if (uncounted.length > 0)
      for (const row of await chunks.find({ _id: { $in: uncounted } }))
        counted.set(row._id, wordCounts(row, row.language ?? null));
    return [...counted].map(([id, counts = '0']) => ({ id, counts }));
  }
}

type Counted = readonly { readonly id: ChunkId; readonly counts: string }[];

/** Best first. */
function rankedBy(candidates: Counted, question: { words: ReadonlyMap<string, Weighed>; asked: readonly Weighed[] }) {
  const length = candidates.reduce((sum, { counts }) => sum + lengthIn(counts), 0);
  const judged = { ...question, averageLength: Math.max(length / Math.max(candidates.length, 1), 1) };
  return candidates
    .map(({ id, counts }) => ({ id, ...relevance(counts, judged) }))
    .toSorted((one, other) => other.score - one.score);
}

/** The stems by which candidates are found; `known` begins with the rarest word. */
function lookedUp(known: readonly Asked[]): string[] {
  let candidates = 0;
  const words = known.slice(0, candidateWords).filter(({ held }) => {
    const isWanted = candidates < enoughCandidates;
    candidates += held.reduce((sum, { count }) => sum + Math.min(count, candidatesPerStem), 0);
    return isWanted;
  });
  return words.flatMap(({ held }) => held.map(({ stem }) => stem));
}

/** The front of the index: whatever others hold, a search reads the words of its own connections only. */
const scopeOfWords = (scope: OrganisationScope, connectionId: ConnectionId): string =>
  searchScope(asKept(scope.orgId, connectionId) ?? scope.orgId);

/** What the index alone tells: the rows of these connections, but for two whose fronts happen to be the same. */
const frontOf = (scope: OrganisationScope, within: Within, stem: string) => ({
  searchScope: { $in: within.map((id) => scopeOfWords(scope, id)) },
  searchKeys: stem,
});

/** Two connections may share the front of the index: which is whose is decided by the row's own field. */
const holding = (scope: OrganisationScope, within: Within, stem: string) => ({
  ...frontOf(scope, within, stem),
  ...inConnections(scope.orgId, within),
});

/** What is inserted at once. Each batch is made when the one before it is stored, so others come in between. */
export function* inserts(
  passages: readonly Passage[],
  toRow: (passage: Passage, index: number) => NewChunk,
): Generator<NewChunk[]> {
  let batch: NewChunk[] = [];
  let keys = 0;
  for (const [index, passage] of passages.entries()) {
    const row = toRow(passage, index);
    if (keys + row.searchKeys.length > keysPerInsert && batch.length > 0) {
      yield batch;
      [batch, keys] = [[], 0];
    }
    batch.push(row);
    keys += row.searchKeys.length;
  }
  if (batch.length > 0) yield batch;
}

/** The words of the passage come first: should there be too many, those above it are left out. */
export const passageKeys = (
  documentName: string,
  { heading, text }: Passage,
  language: StemmedLanguage | null,
): string[] => searchKeys(`${text} ${heading ?? ''} ${documentName}`, language);
