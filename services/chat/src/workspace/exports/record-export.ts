import { exportsChanged } from '@parley/contracts';
import type { Transaction } from '@parley/platform/mongo';
import type { ExportRow } from './export.collection.ts';

/** Tells its person's tabs. */
export function recordExport(tx: Transaction, { orgId, userId, _id: exportId, status }: ExportRow): void {
  tx.record(exportsChanged, { orgId, userId, exportId, status });
}
