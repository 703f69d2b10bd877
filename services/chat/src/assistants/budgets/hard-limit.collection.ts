import { budgetScope, type BudgetId } from '@parley/contracts';
import { orgId, type OrgId } from '@parley/protocol';
import { collection } from '@parley/platform/mongo';
import { z } from 'zod';

/** A copy of which budgets have a hard limit: only whom one of them counts asks billing before a model is asked. */
export const hardLimitRows = collection(
  'hard_limits',
  { _id: z.string(), orgId, scope: budgetScope, version: z.number().int() },
  { tenant: { organisation: 'orgId' }, indexes: [{ orgId: 1 }] },
);

/** Returns the row's key: budgets have ids that are unique in their organisation only. */
export const hardLimitKey = (organisation: OrgId, budget: BudgetId): string => `${organisation}/${budget}`;
