import { billingLimitChanged, failInBilling, listBillingLimits, setBillingLimit } from '@parley/contracts';
import {
  errorTests,
  organisationLimits,
  startOwner,
  type OwnerParts,
  type Platform,
  type RunningService,
} from '@parley/platform/service';
import { joinInboxRows } from '@parley/platform/event-bus';
import { billingRenames } from './billing-renames.ts';
import { budgetQuota, budgetsFeature, myBudgetsFeature, reservationsFeature, tellBudgets } from './budgets/index.ts';
import { ledgerFeature, ledgerKeys, ledgerListFeature, spendMoney, spendPeople, tellEntries } from './ledger/index.ts';
import { invoicesFeature } from './invoices/index.ts';
import { allOrdersFeature, ordersFeature } from './orders/index.ts';
import { ratesFeature } from './rates/index.ts';
import { spendFeature } from './spend/index.ts';

export { verifyTotals } from './ledger/index.ts';

/** The usage ledger, what it is priced by and what bounds it; orders, invoices and payments. */
export const billingParts: OwnerParts = {
  modules: [
    ratesFeature,
    budgetsFeature,
    myBudgetsFeature,
    reservationsFeature,
    ledgerFeature,
    ledgerListFeature,
    spendFeature,
    ordersFeature,
    allOrdersFeature,
    invoicesFeature,
    errorTests(failInBilling),
    organisationLimits({
      list: listBillingLimits,
      set: setBillingLimit,
      changed: billingLimitChanged,
      counted: [budgetQuota],
    }),
  ],
  providers: () => [],
  group: 'billing',
  dataMigrations: [billingRenames, spendPeople, ledgerKeys, spendMoney, joinInboxRows],
  countedQuotas: [budgetQuota],
  snapshots: async ({ mongo }, record) => {
    await tellBudgets(mongo, record);
    await tellEntries(mongo, record);
  },
};

/** Starts billing. */
export async function startBilling(platform: Platform): Promise<RunningService> {
  return startOwner(platform, billingParts);
}
