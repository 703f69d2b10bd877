import type { BudgetId } from '@parley/contracts';
import { jobScope } from '@parley/platform/mongo';
import type { DataMigration } from '@parley/platform/schema';
import { hardLimitKey, hardLimitRows } from './hard-limit.collection.ts';

const scope = jobScope('hard limits are keyed by organisation');
const limitsAtOnce = 100;
const isOld = (id: string): boolean => !id.includes('/');

/**
 * Gives each hard limit a key of its organisation and budget. Earlier versions keyed them by the budget alone, so that
 * another organisation's budget of the same id kept a limit from being enforced.
 */
export const hardLimitKeys: DataMigration = {
  name: 'hard-limit-keys',
  title: 'renaming hard limits',
  async batch(mongo, cursor) {
    const limits = mongo.rows(hardLimitRows);
    const found = await limits
      .within(scope)
      .find(cursor === null ? {} : { _id: { $gt: cursor } }, { sort: { _id: 1 }, limit: limitsAtOnce });
    for (const { _id, ...limit } of found.filter(({ _id: id }) => isOld(id))) {
      await limits.within(scope).insertOnce({ ...limit, _id: hardLimitKey(limit.orgId, _id as BudgetId) });
      await limits.within(scope).delete({ _id });
    }
    return found.length < limitsAtOnce ? null : (found.at(-1)?._id ?? null);
  },
};
