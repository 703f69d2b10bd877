import type { DocumentId } from '@parley/contracts';
import type { OrganisationScope, Rows } from '@parley/platform/mongo';
import type { chunkRows } from './chunk.collection.ts';
import type { DocumentText, TextPart } from './passage.ts';
import { toLocated } from './to-located.ts';

/** Reads one part of a document by the indexes of its passages, however many it has. Parts of one size never overlap. */
export async function documentText(
  rows: Rows<typeof chunkRows>,
  scope: OrganisationScope,
  { documentId, chunkId, limit, ...part }: TextPart & { readonly documentId: DocumentId },
): Promise<DocumentText> {
  const chunks = rows.within(scope);
  const seen = { documentId, isHidden: false };
  const sought = chunkId && (await chunks.findOne({ ...seen, _id: chunkId }));
  const from = sought ? sought.index - (sought.index % limit) : (part.from ?? 0);
  const next = from + limit;
  const [found, isMore] = await Promise.all([
    // Beside the passages of a version that is being exchanged there may be as many of the other one.
    chunks.find({ ...seen, index: { $gte: from, $lt: next } }, { sort: { index: 1 }, limit: 2 * limit }),
    chunks.exists({ ...seen, index: { $gte: next } }),
  ]);
  return {
    passages: found.slice(0, limit).map(toLocated),
    previous: from > 0 ? Math.max(0, from - limit) : null,
    next: isMore ? next : null,
  };
}
