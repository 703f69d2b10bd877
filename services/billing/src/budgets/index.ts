import {
  askForBudget,
  changeBudget,
  countBudgetRequests,
  createBudget,
  deleteBudget,
  dismissBudgetRequest,
  listBudgets,
  listMyBudgets,
  renewReservations,
  reserveBudget,
} from '@parley/contracts';
import { feature } from '@parley/platform/service';
import { SpentBefore } from '../entries/index.ts';
import { OrganisationCalls } from '../organisation/index.ts';
import { ratesFeature } from '../rates/index.ts';
import { BudgetRequests } from './budget-requests.repository.ts';
import { BudgetSheets } from './budget-sheets.repository.ts';
import { BudgetsConsumer } from './budgets.consumer.ts';
import { BudgetsService } from './budgets.service.ts';
import { MyBudgetsService } from './my-budgets.service.ts';
import { ReservationsService } from './reservations.service.ts';
import { BudgetSettlement } from './settlement.service.ts';

export { budgetQuota } from './budget-quota.ts';
export type { Amount } from './budget-sheet.ts';
export { BudgetSheets } from './budget-sheets.repository.ts';
export { tellBudgets } from './budgets.snapshots.ts';
export { BudgetSettlement } from './settlement.service.ts';

/** What an organisation may use, and who may change it. */
export const budgetsFeature = feature({
  routes: { list: listBudgets, create: createBudget, change: changeBudget, delete: deleteBudget },
  handlers: BudgetsService,
  consumers: [BudgetsConsumer],
  imports: [ratesFeature],
  providers: [BudgetSheets, BudgetRequests, BudgetSettlement, OrganisationCalls, SpentBefore],
  exports: [BudgetSheets, BudgetRequests, BudgetSettlement, BudgetsService, SpentBefore],
});

/** What each person has left, and asks for. */
export const myBudgetsFeature = feature({
  routes: { list: listMyBudgets, ask: askForBudget, dismiss: dismissBudgetRequest, count: countBudgetRequests },
  handlers: MyBudgetsService,
  imports: [budgetsFeature, ratesFeature],
});

/** Reserves budget for answers before they begin. */
export const reservationsFeature = feature({
  routes: { reserve: reserveBudget, renew: renewReservations },
  handlers: ReservationsService,
  imports: [budgetsFeature, ratesFeature],
});
