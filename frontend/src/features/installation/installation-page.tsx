import type { ComponentType } from 'react';
import { useText } from '../../lib/text.ts';
import { LiveChip } from '../../ui/live-chip.tsx';
import { Page } from '../../ui/page.tsx';
import { PageTabs, useCurrentTab } from '../../ui/page-tabs.tsx';
import { ErrorsTab } from './errors-tab.tsx';
import { InvoicesTab } from './invoices-tab.tsx';
import { MailTab } from './mail-tab.tsx';
import { NetworkTab } from './network-tab.tsx';
import { OrdersTab } from './orders-tab.tsx';
import { OrganisationsTab } from './organisations-tab.tsx';
import { PricesTab } from './prices-tab.tsx';
import { SecurityTab } from './security-tab.tsx';

type Tab = {
  readonly key: 'organisations' | 'prices' | 'orders' | 'invoices' | 'mail' | 'security' | 'network' | 'errors';
  readonly label: string;
  readonly part: ComponentType;
};

/** What platform admins see of the installation. A tab is one entry. */
export function InstallationPage() {
  const { t } = useText();
  const tabs: Tab[] = [
    {
      key: 'organisations',
      label: t({ id: 'installation.tab.organisations', defaultMessage: 'Organisations' }),
      part: OrganisationsTab,
    },
    { key: 'prices', label: t({ id: 'installation.tab.prices', defaultMessage: 'Prices' }), part: PricesTab },
    { key: 'orders', label: t({ id: 'installation.tab.orders', defaultMessage: 'Orders' }), part: OrdersTab },
    { key: 'invoices', label: t({ id: 'installation.tab.invoices', defaultMessage: 'Invoices' }), part: InvoicesTab },
    { key: 'mail', label: t({ id: 'installation.tab.mail', defaultMessage: 'Mail' }), part: MailTab },
    {
      key: 'security',
      label: t({ id: 'installation.tab.security', defaultMessage: 'Security log' }),
      part: SecurityTab,
    },
    { key: 'network', label: t({ id: 'installation.tab.network', defaultMessage: 'Network' }), part: NetworkTab },
    { key: 'errors', label: t({ id: 'installation.tab.errors', defaultMessage: 'Collected errors' }), part: ErrorsTab },
  ];
  const current = useCurrentTab(tabs) ?? 'organisations';
  const Part = tabs.find(({ key }) => key === current)?.part ?? OrganisationsTab;
  const title = t({ id: 'installation.page.title', defaultMessage: 'Installation' });
  return (
    <Page title={title} documentTitle={title} actions={<LiveChip />}>
      <PageTabs label={title} tabs={tabs} current={current} />
      <Part />
    </Page>
  );
}
