import { Injectable } from '@nestjs/common';
import type { ModelKey } from '@parley/contracts';
import { Mongo, toBinary, type OrganisationScope, type Rows, type Transaction } from '@parley/platform/mongo';
import { Quotas } from '@parley/platform/quotas';
import { asKept, inConnections } from '../connections/index.ts';
import { chunkRows, type ChunkRow } from './chunk.collection.ts';
import { forgetVectors } from './forget-vectors.ts';
import { HiddenDocuments } from './hidden-documents.ts';
import { passageVectorRows } from './passage-vector.collection.ts';
import { leastSimilarity } from './ranking.ts';
import type { FoundPassage, Within } from './passage.ts';
import { toLocated } from './to-located.ts';
import { KeptVectors, type Made } from './kept-vectors.ts';
import { bestOf, toBytes } from './vector-set.ts';

export { mostVectorBytes } from './kept-vectors.ts';

/** A passage that has no vector yet. */
export type Unvectored = Pick<ChunkRow, '_id' | 'heading' | 'text' | 'connectionId'>;

const passagesPerForgetting = 200;
/** Counting stops here: no organisation has as many passages. */
const countLimit = 200_000;

/** What the passages of an organisation mean, as one model says it: kept beside them, gone with them. */
@Injectable()
export class PassageVectors {
  private readonly chunks: Rows<typeof chunkRows>;
  private readonly vectors: Rows<typeof passageVectorRows>;
  private readonly hidden: HiddenDocuments;
  private readonly quotas: Quotas;
  private readonly kept: KeptVectors;

  constructor(mongo: Mongo) {
    this.chunks = mongo.rows(chunkRows);
    this.vectors = mongo.rows(passageVectorRows);
    this.hidden = new HiddenDocuments(mongo);
    this.quotas = new Quotas(mongo);
    this.kept = new KeptVectors(this.vectors);
  }

  /** The oldest passages that have none; hidden ones get none, so there may be fewer while a document is being hidden. */
  async waiting(scope: OrganisationScope, most: number): Promise<Unvectored[]> {
    const [oldest, hidden] = await Promise.all([
      this.chunks
        .within(scope)
        .find(
          { orgId: scope.orgId, hasVector: null, isHidden: false },
          { sort: { _id: 1 }, limit: most, fields: ['heading', 'text', 'connectionId', 'documentId'] },
        ),
      this.hidden.of(scope),
    ]);
    return oldest.filter(({ documentId }) => !hidden.includes(documentId));
  }

  /** Of the passages that can be found. */
  async count(
    scope: OrganisationScope,
  ): Promise<{ readonly passages: number; readonly withVectors: number; readonly refused: number }> {
    const chunks = this.chunks.within(scope);
    const [withVectors, refused, waiting] = await Promise.all(
      ([true, false, null] as const).map((hasVector) =>
        chunks.count({ orgId: scope.orgId, isHidden: false, hasVector }, { limit: countLimit }),
      ),
    );
    return { passages: withVectors! + refused! + waiting!, withVectors: withVectors!, refused: refused! };
  }

  /** How many there are, hidden ones too: so many may be in memory. */
  stored(scope: OrganisationScope, of: ModelKey): Promise<number> {
    return this.vectors.within(scope).count({ orgId: scope.orgId, of }, { limit: countLimit });
  }

  /** Those whose passage is still there; one that goes at the same moment ends one of both transactions. */
  async store(
    scope: OrganisationScope,
    { of, revision, passages, vectors }: Made & { readonly passages: readonly Unvectored[] },
    tx: Transaction,
  ): Promise<void> {
    const chunks = this.chunks.within(scope, tx);
    const wanted = { _id: { $in: passages.map(({ _id }) => _id) }, hasVector: null };
    const there = new Set((await chunks.find(wanted, { fields: ['_id'] })).map(({ _id }) => _id));
    await chunks.updateMany({ _id: { $in: [...there] } }, { $set: { hasVector: true } });
    const rows = passages.map(({ _id, connectionId }, at) => ({
      _id,
      orgId: scope.orgId,
      connectionId: connectionId ?? null,
      of,
      revision,
      vector: toBinary(Buffer.from(toBytes(vectors[at]!).buffer)),
    }));
    const kept = rows.filter(({ _id }) => there.has(_id));
    await this.vectors.within(scope, tx).insertMany(kept);
    // Bounded by `mostVectorBytes`, so that storage only counts them.
    const by = kept.reduce((sum, { vector }) => sum + vector.length(), 0);
    await this.quotas.add(scope, tx, { quota: 'storage', by, isBounded: false });
  }

  /** The model refuses it: nobody is asked for it again before it is indexed anew, or another model comes. */
  async putAside(scope: OrganisationScope, { _id }: Pick<Unvectored, '_id'>, tx: Transaction): Promise<void> {
    await this.chunks.within(scope, tx).updateMany({ _id, hasVector: null }, { $set: { hasVector: false } });
  }

  /** Takes some passages' vectors away, and what keeps others from one; false when none is left. */
  async forget(scope: OrganisationScope, tx: Transaction): Promise<boolean> {
    const chunks = this.chunks.within(scope, tx);
    const some = await chunks.find(
      { orgId: scope.orgId, hasVector: { $in: [true, false] } },
      { limit: passagesPerForgetting, fields: ['_id'] },
    );
    const ids = some.map(({ _id }) => _id);
    await chunks.updateMany({ _id: { $in: ids } }, { $set: { hasVector: null } });
    await forgetVectors({ vectors: this.vectors, quotas: this.quotas }, scope, { ids, tx });
    return some.length === passagesPerForgetting;
  }

  /** Reads those into memory that are not there, so that a comparison does not wait for it. */
  async load(scope: OrganisationScope, made: Pick<Made, 'of' | 'revision'>): Promise<number> {
    return (await this.kept.of(scope, made))?.size ?? 0;
  }

  /**
   * The passages within these connections that are closest to the question in meaning, best first: each is compared, those
   * that lie elsewhere are not. Hidden ones are passed over, and the next ones looked at instead.
   */
  async nearest(
    scope: OrganisationScope,
    within: Within,
    { question, most, ...made }: Pick<Made, 'of' | 'revision'> & { question: readonly number[]; most: number },
  ): Promise<FoundPassage[]> {
    const set = await this.kept.of(scope, made);
    if (!set) return [];
    const similarities = await set.compare(question, new Set(within.map((id) => asKept(scope.orgId, id))));
    const hidden = new Set(await this.hidden.of(scope));
    const seen = new Set<number>();
    const found: FoundPassage[] = [];
    for (let isMore = true; isMore && found.length < most;) {
      const near = bestOf(similarities, { most, least: leastSimilarity, but: seen });
      isMore = near.length === most;
      for (const { at } of near) seen.add(at);
      const ids = near.map(({ at }) => set.idAt(at));
      const rows = await this.chunks
        .within(scope)
        .find({ _id: { $in: ids }, ...inConnections(scope.orgId, within), isHidden: false });
      const byId = new Map(rows.map((row) => [row._id, row]));
      for (const { at, similarity } of near) {
        const row = byId.get(set.idAt(at));
        if (row && !hidden.has(row.documentId))
          found.push({ ...toLocated(row), score: similarity, coverage: 0, similarity });
      }
    }
    return found.slice(0, most);
  }
}
