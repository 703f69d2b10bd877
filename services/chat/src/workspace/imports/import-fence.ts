import type { OrganisationScope, Transaction } from '@parley/platform/mongo';
import type { ImportRow } from './import.collection.ts';
import type { ImportsRepository } from './imports.repository.ts';

/** Another worker has the import, or it was deleted: whatever this one still wants to write is not written. */
export class LostImport extends Error {
  override readonly name = 'LostImport';
}

/**
 * In each transaction of a chat: it and one of a worker that has taken the import over exclude each other. Returns the
 * import as it is then.
 */
export async function fence(
  imports: ImportsRepository,
  scope: OrganisationScope,
  row: ImportRow,
  tx: Transaction,
): Promise<ImportRow> {
  const held = await imports.keep(scope, row, { set: {} }, tx);
  if (!held) throw new LostImport();
  return held;
}
