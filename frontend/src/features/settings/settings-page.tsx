import type { ComponentType } from 'react';
import { lazyPart } from '../../lib/lazy-part.tsx';
import { useMaySeeTab } from '../../lib/page-tab.ts';
import { useText } from '../../lib/text.ts';
import { LivePage } from '../../ui/page.tsx';
import { PageTabs, useCurrentTab } from '../../ui/page-tabs.tsx';
import { ProfileTab } from './profile/profile-tab.tsx';
import { SecurityTab } from './security/security-tab.tsx';
import { SessionsTab } from './sessions/sessions-tab.tsx';
import { settingsTabs } from './settings-tabs.ts';

const UsageTab = lazyPart(async () => (await import('./usage/usage-tab.tsx')).UsageTab);
const ArchivedTab = lazyPart(async () => (await import('./archived/archived-tab.tsx')).ArchivedTab);
const DeletedTab = lazyPart(async () => (await import('./deleted/deleted-tab.tsx')).DeletedTab);
const DataTab = lazyPart(async () => (await import('./exports/data-tab.tsx')).DataTab);
const KeysTab = lazyPart(async () => (await import('./keys/keys-tab.tsx')).KeysTab);

const parts: Record<(typeof settingsTabs)[number]['key'], ComponentType> = {
  profile: ProfileTab,
  security: SecurityTab,
  sessions: SessionsTab,
  keys: KeysTab,
  usage: UsageTab,
  data: DataTab,
  archived: ArchivedTab,
  deleted: DeletedTab,
};

/** What is one's own: profile, password and sessions everywhere, keys and usage in the organisation of the tab. A tab is one entry. */
export function SettingsPage() {
  const { t } = useText();
  const tabs = settingsTabs.filter(useMaySeeTab()).map(({ key, name }) => ({ key, label: t(name) }));
  const current = useCurrentTab(tabs) ?? 'profile';
  const Part = parts[current];
  const title = t({ id: 'settings.page.title', defaultMessage: 'Profile and security' });
  return (
    <LivePage title={title}>
      <PageTabs label={title} tabs={tabs} current={current} />
      <Part />
    </LivePage>
  );
}
