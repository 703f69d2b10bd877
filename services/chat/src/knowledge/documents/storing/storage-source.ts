import type { DocumentId } from '@parley/contracts';
import { jobScope } from '@parley/platform/mongo';
import type { DataMigration } from '@parley/platform/schema';
import type { QuotaSource } from '@parley/platform/quotas';
import { storedTextBytes, storedVectorBytes } from '../../retrieval/index.ts';
import { documentRows } from '../rows/document.collection.ts';
import { pendingFileRows } from '../rows/pending-file.collection.ts';

const job = jobScope('texts of documents are counted');
const documentsAtOnce = 25;
const passagesAtOnce = 2_000;

/** Files and texts of documents, deleted ones until they are erased, embeddings, and files that no row has yet. */
export const documentStorage = {
  quota: 'storage',
  rows: documentRows,
  count: async (mongo, scope) => {
    const documents = mongo.rows(documentRows).within(scope);
    const { bytes, textBytes } = await documents.sum({ orgId: scope.orgId }, ['bytes', 'textBytes']);
    const pending = await mongo.rows(pendingFileRows).within(scope).sum({ orgId: scope.orgId }, ['bytes']);
    return bytes + textBytes + pending.bytes + (await storedVectorBytes(mongo, scope));
  },
} satisfies QuotaSource;

/**
 * Gives documents of earlier versions the size of their texts. A document that a process of an earlier version reads
 * again keeps what it has; the next reading counts it.
 */
export const documentTextBytes: DataMigration = {
  name: 'document-text-bytes',
  title: 'measuring the texts of documents',
  walks: 'documents',
  async batch(mongo, cursor) {
    const documents = mongo.rows(documentRows).within(job);
    const found = await documents.find(cursor === null ? {} : { _id: { $gt: cursor as DocumentId } }, {
      sort: { _id: 1 },
      limit: documentsAtOnce,
      fields: ['orgId', 'passageCount', 'textBytes'],
    });
    let passages = 0;
    for (const { _id, orgId, passageCount, textBytes } of found) {
      if (textBytes === undefined) {
        const size = await storedTextBytes(mongo, job.in(orgId), _id);
        await documents.update({ _id }, { $set: { textBytes: size } });
        passages += passageCount;
      }
      if (passages >= passagesAtOnce) return _id;
    }
    return found.length < documentsAtOnce ? null : (found.at(-1)?._id ?? null);
  },
};
