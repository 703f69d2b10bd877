import { defineMessages } from 'react-intl';
import type { PageTab } from '../../lib/page-tab.ts';

const names = defineMessages({
  organisations: { id: 'tabs.installation.organisations', defaultMessage: 'Organisations' },
  prices: { id: 'tabs.installation.prices', defaultMessage: 'Prices' },
  orders: { id: 'tabs.installation.orders', defaultMessage: 'Orders' },
  invoices: { id: 'tabs.installation.invoices', defaultMessage: 'Invoices' },
  mail: { id: 'tabs.installation.mail', defaultMessage: 'Emails' },
  security: { id: 'tabs.installation.security', defaultMessage: 'Security log' },
  network: { id: 'tabs.installation.network', defaultMessage: 'Network' },
  errors: { id: 'tabs.installation.errors', defaultMessage: 'Collected errors' },
});

/** Lists the tabs of the installation's page. */
export const installationTabs = [
  { key: 'organisations', name: names.organisations },
  { key: 'prices', name: names.prices },
  { key: 'orders', name: names.orders },
  { key: 'invoices', name: names.invoices },
  { key: 'mail', name: names.mail },
  { key: 'security', name: names.security },
  { key: 'network', name: names.network },
  { key: 'errors', name: names.errors },
] as const satisfies readonly PageTab[];
