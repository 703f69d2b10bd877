import type { ComponentType } from 'react';
import { useText } from '../../lib/text.ts';
import { LiveChip } from '../../ui/live-chip.tsx';
import { Page } from '../../ui/page.tsx';
import { PageTabs, useCurrentTab } from '../../ui/page-tabs.tsx';
import { ProfileTab } from './profile-tab.tsx';
import { SecurityTab } from './security-tab.tsx';
import { SessionsTab } from './sessions-tab.tsx';

type Tab = { readonly key: 'profile' | 'security' | 'sessions'; readonly label: string; readonly part: ComponentType };

/** What is one's own, in every organisation: profile, password, sessions. A tab is one entry. */
export function SettingsPage() {
  const { t } = useText();
  const tabs: Tab[] = [
    { key: 'profile', label: t({ id: 'settings.tab.profile', defaultMessage: 'Profile' }), part: ProfileTab },
    { key: 'security', label: t({ id: 'settings.tab.security', defaultMessage: 'Security' }), part: SecurityTab },
    { key: 'sessions', label: t({ id: 'settings.tab.sessions', defaultMessage: 'Sessions' }), part: SessionsTab },
  ];
  const current = useCurrentTab(tabs) ?? 'profile';
  const Part = tabs.find(({ key }) => key === current)?.part ?? ProfileTab;
  const title = t({ id: 'settings.page.title', defaultMessage: 'Profile and security' });
  return (
    <Page title={title} documentTitle={title} actions={<LiveChip />}>
      <PageTabs label={title} tabs={tabs} current={current} />
      <Part />
    </Page>
  );
}
