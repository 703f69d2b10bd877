import type { DocumentId } from '@parley/contracts';
import type { Mongo, OrganisationScope } from '@parley/platform/mongo';
import { chunkRows } from './chunk.collection.ts';
import { textBytesOf } from './passage-rows.ts';
import { passageVectorRows } from './passage-vector.collection.ts';

const passagesPerRead = 250;

/** Returns the size of what is stored of a document's passages: texts and headings, in bytes. */
export async function storedTextBytes(mongo: Mongo, scope: OrganisationScope, documentId: DocumentId): Promise<number> {
  const chunks = mongo.rows(chunkRows).within(scope);
  let bytes = 0;
  for (let from = 0, isMore = true; isMore; from += passagesPerRead) {
    const range = { documentId, index: { $gte: from, $lt: from + passagesPerRead } };
    bytes += textBytesOf(await chunks.find(range, { fields: ['heading', 'text'] }));
    isMore = await chunks.exists({ documentId, index: { $gte: from + passagesPerRead } });
  }
  return bytes;
}

/** Returns the size of an organisation's embeddings, in bytes: those that one model made are of the same size. */
export async function storedVectorBytes(mongo: Mongo, scope: OrganisationScope): Promise<number> {
  const vectors = mongo.rows(passageVectorRows).within(scope);
  const { orgId } = scope;
  let bytes = 0;
  for (let one = await vectors.findOne({ orgId }, { sort: { of: 1 } }); one;) {
    bytes += (await vectors.count({ orgId, of: one.of })) * one.vector.length();
    one = await vectors.findOne({ orgId, of: { $gt: one.of } }, { sort: { of: 1 } });
  }
  return bytes;
}
