import type { DataMigration } from '@parley/platform/schema';
import { ledgerEntryRows } from '../entries/index.ts';

/** Drops the index by which attempts were unique over all organisations; they are unique in theirs. */
export const ledgerKeys: DataMigration = {
  name: 'ledger-keys',
  title: 'dropping an index of the ledger',
  async batch(mongo) {
    await mongo.dropIndex(ledgerEntryRows, 'generationId_1_attempt_1');
    return null;
  },
};
