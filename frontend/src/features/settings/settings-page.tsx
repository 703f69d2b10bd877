import type { Permission } from '@parley/contracts';
import { allows } from '@parley/contracts/permissions';
import type { ComponentType } from 'react';
import { lazyPart } from '../../lib/lazy-part.tsx';
import { useTab } from '../../lib/tab-organisation.tsx';
import { useText } from '../../lib/text.ts';
import { LiveChip } from '../../ui/live-chip.tsx';
import { Page } from '../../ui/page.tsx';
import { PageTabs, useCurrentTab } from '../../ui/page-tabs.tsx';
import { ProfileTab } from './profile-tab.tsx';
import { SecurityTab } from './security-tab.tsx';
import { SessionsTab } from './sessions-tab.tsx';

const UsageTab = lazyPart(async () => (await import('./usage-tab.tsx')).UsageTab);
const ArchivedTab = lazyPart(async () => (await import('./archived-tab.tsx')).ArchivedTab);
const DeletedTab = lazyPart(async () => (await import('./deleted-tab.tsx')).DeletedTab);
const DataTab = lazyPart(async () => (await import('./data-tab.tsx')).DataTab);
const KeysTab = lazyPart(async () => (await import('./keys-tab.tsx')).KeysTab);

type Tab = {
  readonly key: 'profile' | 'security' | 'sessions' | 'keys' | 'usage' | 'data' | 'archived' | 'deleted';
  /** Whoever lacks it in the organisation of the tab does not see it. */
  readonly right?: Permission;
  readonly label: string;
  readonly part: ComponentType;
};

/** What is one's own: profile, password and sessions everywhere, keys and usage in the organisation of the tab. A tab is one entry. */
export function SettingsPage() {
  const { t } = useText();
  const { me, organisation } = useTab();
  const all: Tab[] = [
    { key: 'profile', label: t({ id: 'settings.tab.profile', defaultMessage: 'Profile' }), part: ProfileTab },
    { key: 'security', label: t({ id: 'settings.tab.security', defaultMessage: 'Security' }), part: SecurityTab },
    { key: 'sessions', label: t({ id: 'settings.tab.sessions', defaultMessage: 'Sessions' }), part: SessionsTab },
    {
      key: 'keys',
      right: 'apikey:manage_own',
      label: t({ id: 'settings.tab.keys', defaultMessage: 'API keys' }),
      part: KeysTab,
    },
    {
      key: 'usage',
      right: 'usage:read_own',
      label: t({ id: 'settings.tab.usage', defaultMessage: 'Usage' }),
      part: UsageTab,
    },
    { key: 'data', right: 'chat:read', label: t({ id: 'settings.tab.data', defaultMessage: 'Data' }), part: DataTab },
    {
      key: 'archived',
      right: 'chat:update',
      label: t({ id: 'settings.tab.archived', defaultMessage: 'Archived chats' }),
      part: ArchivedTab,
    },
    {
      key: 'deleted',
      right: 'chat:delete',
      label: t({ id: 'settings.tab.deleted', defaultMessage: 'Deleted chats' }),
      part: DeletedTab,
    },
  ];
  const holder = { userId: me.id, permissions: organisation.permissions };
  const tabs = all.filter(({ right }) => right === undefined || allows(holder, right));
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
