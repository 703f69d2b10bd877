import type { DocumentId } from '@parley/contracts';
import { Mongo, type OrganisationScope, type PlatformScope, type Rows, type Transaction } from '@parley/platform/mongo';
import { embedPassages } from '../../assistants/models/index.ts';
import { chunkRows, type ChunkRow } from './chunk.collection.ts';
import { hiddenDocumentRows, type HiddenDocumentRow } from './hidden-document.collection.ts';

/** Passages that one transaction changes while somebody waits for it: others wait for some 20 ms. */
export const passagesPerTurn = 100;
/** And while nobody does. */
const passagesPerBatch = 50;

/**
 * Hides the passages of documents and shows them again. A document of a few passages changes at once; of a larger one a
 * single row is written, which counts from the commit on, and `settle` changes the passages in batches.
 */
export class HiddenDocuments {
  private readonly chunks: Rows<typeof chunkRows>;
  private readonly rows: Rows<typeof hiddenDocumentRows>;

  constructor(mongo: Mongo) {
    this.chunks = mongo.rows(chunkRows);
    this.rows = mongo.rows(hiddenDocumentRows);
  }

  /** Documents whose passages nobody may find. Bounded by the passages that an organisation may have. */
  async of(scope: OrganisationScope): Promise<DocumentId[]> {
    const rows = await this.rows.within(scope).find({ orgId: scope.orgId, isHidden: true }, { fields: ['_id'] });
    return rows.map(({ _id }) => _id);
  }

  async isHidden(scope: OrganisationScope, documentId: DocumentId, tx?: Transaction): Promise<boolean> {
    return (await this.rows.within(scope, tx).findById(documentId))?.isHidden === true;
  }

  async set(scope: OrganisationScope, documentId: DocumentId, isHidden: boolean, tx: Transaction): Promise<void> {
    const rows = this.rows.within(scope, tx);
    const again = { $set: { isHidden, isSettled: false, next: 0 }, $inc: { version: 1 } };
    if (await rows.change({ _id: documentId }, again)) return;
    const chunks = this.chunks.within(scope, tx);
    const some = await chunks.find({ documentId }, { limit: passagesPerTurn + 1, fields: ['isHidden'] });
    if (some.length > passagesPerTurn)
      await rows.insert({ _id: documentId, orgId: scope.orgId, isHidden, isSettled: false, next: 0, version: 1 });
    else await this.turn(scope, { some, isHidden }, tx);
  }

  /** Documents with passages that do not agree yet. */
  unsettled(scope: PlatformScope): Promise<HiddenDocumentRow[]> {
    return this.rows.recall(scope, 'unsettled', (rows) => rows.find({ isSettled: false }, { limit: 10 }));
  }

  /** Changes the next passages of a document; false when it is done, or somebody has changed their mind. */
  async settleSome(scope: OrganisationScope, row: HiddenDocumentRow, tx: Transaction): Promise<boolean> {
    const { _id: documentId, isHidden, version } = row;
    const rows = this.rows.within(scope, tx);
    const mine = await rows.findById(documentId);
    if (mine?.version !== version || mine.isSettled) return false;
    const [chunks, until] = [this.chunks.within(scope, tx), mine.next + passagesPerBatch];
    const range = { documentId, index: { $gte: mine.next, $lt: until } };
    const some = await chunks.find(range, { fields: ['isHidden'] });
    await this.turn(scope, { some, isHidden }, tx);
    const isMore =
      (await chunks.find({ documentId, index: { $gte: until } }, { limit: 1, fields: ['_id'] })).length > 0;
    if (isMore) await rows.update({ _id: documentId, version }, { $set: { next: until } });
    else if (isHidden) await rows.update({ _id: documentId, version }, { $set: { isSettled: true } });
    else await rows.delete({ _id: documentId, version });
    return isMore;
  }

  private async turn(
    scope: OrganisationScope,
    { some, isHidden }: { some: readonly Pick<ChunkRow, '_id' | 'isHidden'>[]; isHidden: boolean },
    tx: Transaction,
  ): Promise<void> {
    const others = some.filter((each) => each.isHidden !== isHidden).map(({ _id }) => _id);
    await this.chunks.within(scope, tx).updateMany({ _id: { $in: others } }, { $set: { isHidden } });
    // Also for hidden ones: passages behind them can have their vectors now.
    tx.queue(embedPassages, { orgId: scope.orgId });
  }

  /** For a document that is erased. */
  async forget(scope: OrganisationScope | PlatformScope, documentId: DocumentId): Promise<void> {
    await this.rows.within(scope).delete({ _id: documentId });
  }
}
