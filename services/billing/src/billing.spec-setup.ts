import { testStore } from '@parley/testing';
import { BudgetSettlement, BudgetSheets } from './budgets/index.ts';
import { InvoicesRepository } from './invoices/index.ts';
import { InvoicesService } from './invoices/invoices.service.ts';
import { LedgerService } from './ledger/ledger.service.ts';
import { OrganisationCalls } from './organisation/index.ts';
import { RatesRepository } from './rates/index.ts';
import { RatesService } from './rates/rates.service.ts';

/** The service's classes that others build on, on a store of the spec's own. */
export async function billingSetup() {
  const store = await testStore();
  const { mongo, work, clock } = store;
  const prices = new RatesRepository(mongo);
  const invoices = new InvoicesRepository(mongo);
  const organisations = new OrganisationCalls({ peers: { call: async () => ({ timeZone: 'UTC' }) } } as never);
  const settlement = new BudgetSettlement(new BudgetSheets(mongo, prices), clock, organisations);
  return {
    ...store,
    settlement,
    prices,
    rates: new RatesService(prices, work, clock),
    ledger: new LedgerService(mongo, prices, settlement, clock),
    invoices,
    books: new InvoicesService(invoices, work, clock),
  };
}
