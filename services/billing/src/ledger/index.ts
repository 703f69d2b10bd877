import { getMyUsage, getSpendToday, listLedgerEntries, listMyAnswers } from '@parley/contracts';
import { feature } from '@parley/platform/service';
import { OrganisationCalls } from '../organisation/index.ts';
import { budgetsFeature } from '../budgets/index.ts';
import { ratesFeature } from '../rates/index.ts';
import { LedgerConsumer } from './ledger.consumer.ts';
import { LedgerListService } from './ledger-list.service.ts';
import { LedgerService } from './ledger.service.ts';

export { ledgerKeys } from './ledger-keys.ts';
export { tellEntries } from './ledger.snapshots.ts';
export { spendChatbotRows } from './spend-chatbot.collection.ts';
export { spendPersonRows, type SpendPersonRow } from './spend-person.collection.ts';
export { noSums, sumOf, type Sums } from './spend.ts';
export { spendMoney, spendPeople } from './spend-upgrade.ts';
export { verifyTotals } from './verify-totals.ts';

export const ledgerFeature = feature({
  routes: { myUsage: getMyUsage, myAnswers: listMyAnswers, spendToday: getSpendToday },
  handlers: LedgerService,
  imports: [ratesFeature, budgetsFeature],
  consumers: [LedgerConsumer],
});
export const ledgerListFeature = feature({
  routes: { list: listLedgerEntries },
  handlers: LedgerListService,
  providers: [OrganisationCalls],
});
