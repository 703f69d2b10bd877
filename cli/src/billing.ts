import { verifyTotals } from '@parley/billing';
import { Work } from '@parley/platform/work';
import { withOwner } from '@parley/platform/service';
import { openDatabases } from './databases.ts';
import { owners } from './migrate-schema.ts';
import { operatorPlatform } from './operator-platform.ts';

/** One line for each total that the entries of the ledger do not give, then what was compared. Changes nothing. */
export async function verifyBilling(data: string | undefined): Promise<{ lines: string[]; isRight: boolean }> {
  const databases = await openDatabases(data);
  try {
    const platform = await operatorPlatform(databases.uriOf('billing'), 'billing');
    const { entries, days, differences } = await withOwner(platform, owners.billing, ({ mongo, outbox }) =>
      verifyTotals({ mongo, work: new Work({ outbox }) }),
    );
    const found = differences.length === 0 ? 'no difference' : `${differences.length} differ`;
    const compared = `Recomputed ${days} totals from ${entries} entries: ${found}.`;
    return { lines: [...differences, compared], isRight: differences.length === 0 };
  } finally {
    await databases.close();
  }
}
