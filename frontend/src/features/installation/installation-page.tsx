import type { ComponentType } from 'react';
import { useText } from '../../lib/text.ts';
import { LiveChip } from '../../ui/live-chip.tsx';
import { Page } from '../../ui/page.tsx';
import { PageTabs, useCurrentTab } from '../../ui/page-tabs.tsx';
import { MailTab } from './mail-tab.tsx';

type Tab = { readonly key: 'mail'; readonly label: string; readonly part: ComponentType };

/** What platform admins see of the installation. A tab is one entry. */
export function InstallationPage() {
  const { t } = useText();
  const tabs: Tab[] = [
    { key: 'mail', label: t({ id: 'installation.tab.mail', defaultMessage: 'Mail' }), part: MailTab },
  ];
  const current = useCurrentTab(tabs) ?? 'mail';
  const Part = tabs.find(({ key }) => key === current)?.part ?? MailTab;
  const title = t({ id: 'installation.page.title', defaultMessage: 'Installation' });
  return (
    <Page title={title} documentTitle={title} actions={<LiveChip />}>
      <PageTabs label={title} tabs={tabs} current={current} />
      <Part />
    </Page>
  );
}
