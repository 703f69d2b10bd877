import { Injectable } from '@nestjs/common';
import type { ChunkId, ConnectionId, DocumentId } from '@parley/contracts';
import { Clock } from '@parley/platform/clock';
import { newId } from '@parley/platform/ids';
import { jobScope, Mongo, type OrganisationScope, type Rows, type Transaction } from '@parley/platform/mongo';
import { askedWords, languageOf } from '@parley/platform/text';
import { Quotas } from '@parley/platform/quotas';
import { giveWay } from '@parley/platform/give-way';
import { job, Work } from '@parley/platform/work';
import { embedPassages } from '../../assistants/models/index.ts';
import { asKept, inConnections } from '../connections/index.ts';
import { chunkRows, type NewChunk } from './chunk.collection.ts';
import { frontOf, holding, notOf, scopeOfWords } from './candidate-filters.ts';
import { documentText } from './document-text.ts';
import { HiddenDocuments, passagesPerTurn } from './hidden-documents.ts';
import { inserts, passageKeys } from './passage-rows.ts';
import { forgetVectors } from './forget-vectors.ts';
import { passageVectorRows } from './passage-vector.collection.ts';
import { toLocated } from './to-located.ts';
import { byStem, inverseFrequency, rankedBy, wordCounts, type Counted, type Weighed } from './ranking.ts';
import type {
  DocumentText,
  FoundPassage,
  IndexedDocument,
  Passage,
  PassageInContext,
  TextPart,
  Within,
} from './passage.ts';

/** Passages whose ids are read at once; where an older version is being replaced there are two of each index. */
const idsPerRead = 250;
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
 * Finds passages of an organisation's documents: candidates by the rarest words, ranked by BM25 from the counts of their
 * words; texts are read of the best only. Guarantees: who can read is decided before ranking; nobody finds what was hidden
 * or removed from the moment the call resolves, however large the document is; what is shown again may come back in parts,
 * of a large document within a minute; a document that is replaced is found as it was until it is found as it is. Up to a
 * hundred passages are exchanged as a whole, also where the process dies in between; of more, old and new ones may be found
 * side by side for a moment, or where the process dies then, until the document is read again.
 */
@Injectable()
export class KeywordIndex {
  private readonly chunks: Rows<typeof chunkRows>;
  private readonly vectors: Rows<typeof passageVectorRows>;
  private readonly hidden: HiddenDocuments;
  private readonly quotas: Quotas;

  constructor(
    mongo: Mongo,
    private readonly clock: Clock,
    private readonly work: Work,
  ) {
    this.chunks = mongo.rows(chunkRows);
    this.vectors = mongo.rows(passageVectorRows);
    this.hidden = new HiddenDocuments(mongo);
    this.quotas = new Quotas(mongo);
  }

  /** All passages of a document, replacing what was there; `onStored` is told how many are stored, and of how many. */
  async replace(
    scope: OrganisationScope,
    document: IndexedDocument,
    passages: readonly Passage[],
    onStored: (count: number, of: number) => void = () => {},
  ): Promise<void> {
    const before = await this.idsOf(scope, document.id);
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
      await giveWay();
    }
    await this.exchange(scope, document.id, { before, stored });
    for (let at = 0; at < before.length; at += passagesPerDelete)
      await this.delete(scope, before.slice(at, at + passagesPerDelete));
  }

  async setHidden(
    scope: OrganisationScope,
    documentId: DocumentId,
    isHidden: boolean,
    tx?: Transaction,
  ): Promise<void> {
    if (tx) return this.hidden.set(scope, documentId, isHidden, tx);
    await this.work.run(indexing, (own) => this.hidden.set(scope, documentId, isHidden, own));
  }

  /** Shows the new passages in place of the old ones: few in one transaction, more in several. */
  private async exchange(
    scope: OrganisationScope,
    documentId: DocumentId,
    { before, stored }: { readonly before: readonly ChunkId[]; readonly stored: readonly ChunkId[] },
  ): Promise<void> {
    const isSmall = before.length + stored.length <= passagesPerTurn;
    const step = isSmall ? passagesPerTurn : passagesPerTurn / 2;
    const count = Math.max(before.length, stored.length);
    for (let at = 0; at < count; at += step)
      await this.work.run(indexing, async (tx) => {
        if (await this.hidden.isHidden(scope, documentId, tx)) return;
        const chunks = this.chunks.within(scope, tx);
        const [old, newer] = [before.slice(at, at + step), stored.slice(at, at + step)];
        await chunks.updateMany({ _id: { $in: old }, isHidden: false }, { $set: { isHidden: true } });
        await chunks.updateMany({ _id: { $in: newer } }, { $set: { isHidden: false } });
        if (at + step >= count) tx.queue(embedPassages, { orgId: scope.orgId });
      });
  }

  private async idsOf(scope: OrganisationScope, documentId: DocumentId): Promise<ChunkId[]> {
    const chunks = this.chunks.within(scope);
    const ids: ChunkId[] = [];
    for (let from = 0, isMore = true; isMore; from += idsPerRead) {
      const range = { documentId, index: { $gte: from, $lt: from + idsPerRead } };
      ids.push(...(await chunks.find(range, { fields: ['_id'] })).map(({ _id }) => _id));
      isMore = await chunks.exists({ documentId, index: { $gte: from + idsPerRead } });
    }
    return ids;
  }

  async remove(scope: OrganisationScope, documentId: DocumentId): Promise<void> {
    const chunks = this.chunks.within(scope);
    for (let isMore = true; isMore;) {
      const some = await chunks.find({ documentId }, { limit: passagesPerDelete, fields: ['_id'] });
      await this.delete(
        scope,
        some.map(({ _id }) => _id),
      );
      isMore = some.length === passagesPerDelete;
    }
    await this.hidden.forget(scope, documentId);
  }

  /**
   * The best passages for the words of the query, best first; none when no word occurs. What lies outside of `within` is
   * neither found nor counted: the order is the same as if it were not there.
   */
  async search(scope: OrganisationScope, within: Within, question: string, limit: number): Promise<FoundPassage[]> {
    const [words, hidden] = await Promise.all([this.weighed(scope, within, question), this.hidden.of(scope)]);
    const known = words.filter(({ held }) => held.length > 0).toSorted((one, other) => other.weight - one.weight);
    if (known.length === 0) return [];
    const filters = lookedUp(known).map((stem) => ({ ...holding(scope, within, stem), ...notOf(hidden) }));
    const candidates = await this.candidates(scope, filters);
    const ranked = rankedBy(candidates, { words: byStem(known), asked: words });
    const least = (ranked[0]?.score ?? 0) * leastOfBest;
    const best = ranked.filter(({ score }) => score > 0 && score >= least).slice(0, limit);
    const rows = await this.chunks.within(scope).find({ _id: { $in: best.map(({ id }) => id) }, isHidden: false });
    const rowOf = new Map(rows.map((row) => [row._id, row]));
    return best.flatMap(({ id, score, coverage }) => {
      const row = rowOf.get(id);
      return row ? { ...toLocated(row), score, coverage } : [];
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

  /** One passage with its neighbours; null when hidden, removed, outside of `within` or of another organisation. */
  async find(scope: OrganisationScope, within: Within, chunkId: ChunkId): Promise<PassageInContext | null> {
    const chunks = this.chunks.within(scope);
    const row = await chunks.findOne({ _id: chunkId, ...inConnections(scope.orgId, within), isHidden: false });
    if (!row || (await this.hidden.isHidden(scope, row.documentId))) return null;
    const { documentId } = row;
    const around = await chunks.find({ documentId, index: { $in: [row.index - 1, row.index + 1] } });
    const textAt = (index: number) => around.find((other) => other.index === index)?.text ?? '';
    return {
      ...toLocated(row),
      before: textAt(row.index - 1).slice(-contextCharacters),
      after: textAt(row.index + 1).slice(0, contextCharacters),
      asOf: row.asOf ?? null,
      indexedAt: row.createdAt,
    };
  }

  /** Returns part of a document's text, without hidden passages. The caller checks the right to read it first. */
  async textOf(scope: OrganisationScope, documentId: DocumentId, part: TextPart): Promise<DocumentText> {
    if (await this.hidden.isHidden(scope, documentId)) return { passages: [], previous: null, next: null };
    return documentText(this.chunks, scope, { documentId, ...part });
  }

  /** Counts the passages of a connection. */
  async countIn(scope: OrganisationScope, connectionId: ConnectionId): Promise<number> {
    return this.chunks.within(scope).count(inConnections(scope.orgId, [connectionId]));
  }

  /** Counts all passages of a document, including hidden ones. */
  async countOf(scope: OrganisationScope, documentId: DocumentId): Promise<number> {
    return this.chunks.within(scope).count({ documentId });
  }

  /** Counts the passages of the organisation, up to the limit. */
  async count(scope: OrganisationScope, limit: number): Promise<number> {
    return this.chunks.within(scope).count({}, { limit });
  }

  private async countStem(scope: OrganisationScope, within: Within, stem: string): Promise<number> {
    return this.chunks.within(everywhere).count(frontOf(scope, within, stem), { limit: countLimit });
  }

  private async delete(scope: OrganisationScope, ids: readonly ChunkId[]): Promise<void> {
    const gone = { _id: { $in: ids } };
    await this.work.run(indexing, async (tx) => {
      await forgetVectors({ vectors: this.vectors, quotas: this.quotas }, scope, { ids, tx });
      await this.chunks.within(scope, tx).deleteMany(gone);
    });
  }

  /** The counts of their words. */
  private async candidates(scope: OrganisationScope, filters: readonly Held[]): Promise<Counted> {
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

type Held = ReturnType<typeof holding> & ReturnType<typeof notOf>;

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
