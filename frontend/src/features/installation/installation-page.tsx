import type { ComponentType } from 'react';
import { useText } from '../../lib/text.ts';
import { LivePage } from '../../ui/page.tsx';
import { PageTabs, useCurrentTab } from '../../ui/page-tabs.tsx';
import { ErrorsTab } from './errors/errors-tab.tsx';
import { installationTabs } from './installation-tabs.ts';
import { InvoicesTab } from './invoices/invoices-tab.tsx';
import { MailTab } from './mail/mail-tab.tsx';
import { NetworkTab } from './network/network-tab.tsx';
import { OrdersTab } from './orders/orders-tab.tsx';
import { OrganisationsTab } from './organisations/organisations-tab.tsx';
import { PricesTab } from './prices/prices-tab.tsx';
import { SecurityTab } from './security/security-tab.tsx';

const parts: Record<(typeof installationTabs)[number]['key'], ComponentType> = {
  organisations: OrganisationsTab,
  prices: PricesTab,
  orders: OrdersTab,
  invoices: InvoicesTab,
  mail: MailTab,
  security: SecurityTab,
  network: NetworkTab,
  errors: ErrorsTab,
};

/** What platform admins see of the installation. A tab is one entry. */
export function InstallationPage() {
  const { t } = useText();
  const tabs = installationTabs.map(({ key, name }) => ({ key, label: t(name) }));
  const current = useCurrentTab(tabs) ?? 'organisations';
  const Part = parts[current];
  const title = t({ id: 'installation.page.title', defaultMessage: 'Installation' });
  return (
    <LivePage title={title}>
      <PageTabs label={title} tabs={tabs} current={current} />
      <Part />
    </LivePage>
  );
}
