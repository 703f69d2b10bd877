import { budgetChanged } from '@parley/contracts';
import { eachRow, jobScope, type Mongo } from '@parley/platform/mongo';
import type { RecordSnapshot } from '@parley/platform/service';
import { budgetSheetRows } from './budget-sheet.collection.ts';

const everything = jobScope('tells all budgets again');

/** All budgets as they are now; whoever missed that one was deleted hears nothing of it. */
export async function tellBudgets(mongo: Mongo, record: RecordSnapshot): Promise<void> {
  for await (const { orgId, budgets } of eachRow(mongo.rows(budgetSheetRows).within(everything)))
    for (const { id: budgetId, version, scope, hardLimit } of budgets) {
      const change = version === 1 ? 'created' : 'updated';
      await record(budgetChanged, { orgId, budgetId, version, change, scope, hasHardLimit: hardLimit !== null });
    }
}
