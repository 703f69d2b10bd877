import { defineMessages } from 'react-intl';
import type { PageTab } from '../../lib/page-tab.ts';

const names = defineMessages({
  overview: { id: 'tabs.billing.overview', defaultMessage: 'Overview' },
  ledger: { id: 'tabs.billing.ledger', defaultMessage: 'Ledger' },
  budgets: { id: 'tabs.billing.budgets', defaultMessage: 'Budgets' },
  prices: { id: 'tabs.billing.prices', defaultMessage: 'Prices' },
  orders: { id: 'tabs.billing.orders', defaultMessage: 'Orders and invoices' },
});

/** The tabs of Billing. */
export const billingTabs = [
  { key: 'overview', right: 'billing:read', name: names.overview },
  { key: 'ledger', right: 'billing:read', name: names.ledger },
  { key: 'budgets', right: 'budget:read', name: names.budgets },
  { key: 'prices', right: 'billing:read', name: names.prices },
  { key: 'orders', right: 'billing:read', name: names.orders },
] as const satisfies readonly PageTab[];
