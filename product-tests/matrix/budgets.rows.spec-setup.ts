import { budgetRoutes, type Budget, type BudgetId } from '@parley/contracts';
import { newId } from '@parley/platform/ids';
import type { ParleyClient } from '@parley/testing/client';
import { plain, rowsFor } from './rows.spec-setup.ts';

/** Of people that nobody is: one for each, since there is only one of the same scope. */
const newBudget = () => ({
  id: newId('budget'),
  scope: { kind: 'person' as const, id: newId('user') },
  period: 'month' as const,
  unit: 'tokens' as const,
  softLimit: null,
  hardLimit: 1_000_000,
});
const made = (owner: ParleyClient): Promise<Budget> => owner.call('POST /api/billing/budgets', { body: newBudget() });
let listed: BudgetId;
let mine: Budget | undefined;
/** It never runs out here. */
const ofOwner = async (owner: ParleyClient): Promise<Budget> => {
  const scope = { kind: 'person' as const, id: owner.me!.id };
  const body = { ...newBudget(), scope, softLimit: 1_000_000, hardLimit: null };
  return (mine ??= await owner.call('POST /api/billing/budgets', { body }));
};

export const budgetRows = rowsFor(budgetRoutes, {
  listBudgets: {
    request: async ({ owner }) => {
      listed = (await made(owner)).id;
      return {};
    },
    lists: { ids: () => [listed], whose: 'organisation' },
  },
  createBudget: { request: () => ({ body: newBudget() }) },
  changeBudget: {
    things: 'organisation',
    repeated: 409,
    request: async ({ owner }) => {
      const { id, version } = await made(owner);
      return { params: { budgetId: id }, body: { version, softLimit: 1, hardLimit: null } };
    },
  },
  deleteBudget: {
    things: 'organisation',
    repeated: 404,
    request: async ({ owner }) => ({ params: { budgetId: (await made(owner)).id } }),
  },
  countBudgetRequests: plain,
  dismissBudgetRequest: {
    things: 'organisation',
    request: async ({ owner }) => ({ params: { budgetId: (await made(owner)).id, userId: owner.me!.id } }),
  },
  listMyBudgets: {
    ...plain,
    request: async ({ owner }) => {
      await ofOwner(owner);
      return {};
    },
    lists: { ids: () => [mine?.id ?? ''], whose: 'owner' },
  },
  askForBudget: { request: async ({ owner }) => ({ body: { budgetId: (await ofOwner(owner)).id, amount: 500 } }) },
});
