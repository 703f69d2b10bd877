import type { ChunkId } from '@parley/contracts';
import type { OrganisationScope, Rows, Transaction } from '@parley/platform/mongo';
import type { Quotas } from '@parley/platform/quotas';
import { embedPassages } from '../../assistants/models/index.ts';
import type { passageVectorRows } from './passage-vector.collection.ts';

type Parts = { readonly vectors: Rows<typeof passageVectorRows>; readonly quotas: Quotas };

/** Deletes the vectors of some passages; their storage is free, and there is room for others. */
export async function forgetVectors(
  { vectors, quotas }: Parts,
  scope: OrganisationScope,
  { ids, tx }: { readonly ids: readonly ChunkId[]; readonly tx: Transaction },
): Promise<void> {
  const gone = { _id: { $in: ids } };
  const rows = await vectors.within(scope, tx).find(gone, { fields: ['vector'] });
  if (rows.length === 0) return;
  await vectors.within(scope, tx).deleteMany(gone);
  const by = -rows.reduce((sum, { vector }) => sum + vector.length(), 0);
  await quotas.add(scope, tx, { quota: 'storage', by });
  tx.queue(embedPassages, { orgId: scope.orgId });
}
