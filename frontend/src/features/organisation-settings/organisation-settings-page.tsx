import { Button } from '@mantine/core';
import type { OrgId, Permission } from '@parley/contracts';
import { allows } from '@parley/contracts/permissions';
import { Building2 } from 'lucide-react';
import type { ComponentType } from 'react';
import { defineMessages, type MessageDescriptor } from 'react-intl';
import { useParams } from 'react-router-dom';
import { useTab } from '../../lib/tab-organisation.tsx';
import { useText } from '../../lib/text.ts';
import { NoPermissionView } from '../../ui/failure-view.tsx';
import { Page } from '../../ui/page.tsx';
import { useCurrentTab } from '../../ui/page-tabs.tsx';
import { StateView } from '../../ui/state-view.tsx';
import { AuditTab } from './components/audit-tab.tsx';
import { ConsoleTabsProvider } from './components/console-frame.tsx';
import { GeneralTab } from './components/general-tab.tsx';
import { KeysTab } from './components/keys-tab.tsx';
import { MembersTab } from './components/members-tab.tsx';
import { ModelsTab } from './components/models-tab.tsx';
import { PlatformTab } from './components/platform-tab.tsx';
import { UnknownOrganisation } from './components/unknown-organisation.tsx';
import { WebhooksTab } from './components/webhooks-tab.tsx';
import { PlatformPage } from './platform-page.tsx';

type ConsoleTab = {
  readonly key: string;
  /** Whoever lacks it does not see the tab; `platform` is for platform admins, also while the organisation is suspended. */
  readonly right: Permission | 'platform';
  readonly name: MessageDescriptor;
  /** Shows itself in a `ConsoleFrame`. */
  readonly part: ComponentType;
};

const names = defineMessages({
  general: { id: 'organisation.tab.general', defaultMessage: 'General' },
  members: { id: 'organisation.tab.members', defaultMessage: 'Members' },
  models: { id: 'organisation.tab.models', defaultMessage: 'Models' },
  keys: { id: 'organisation.tab.keys', defaultMessage: 'API keys' },
  webhooks: { id: 'organisation.tab.webhooks', defaultMessage: 'Webhooks' },
  audit: { id: 'organisation.tab.audit', defaultMessage: 'Audit log' },
  platform: { id: 'organisation.tab.platform', defaultMessage: 'Platform' },
});

const consoleTabs: readonly ConsoleTab[] = [
  { key: 'general', right: 'org:update', name: names.general, part: GeneralTab },
  { key: 'members', right: 'member:read', name: names.members, part: MembersTab },
  { key: 'models', right: 'model:configure', name: names.models, part: ModelsTab },
  { key: 'keys', right: 'apikey:manage_org', name: names.keys, part: KeysTab },
  { key: 'webhooks', right: 'webhook:manage', name: names.webhooks, part: WebhooksTab },
  { key: 'audit', right: 'audit:read', name: names.audit, part: AuditTab },
  { key: 'platform', right: 'platform', name: names.platform, part: PlatformTab },
];

/** The console of one organisation, the one of this tab of the browser: each of its tabs by its right. */
export function OrganisationSettingsPage() {
  const { t } = useText();
  const { orgId } = useParams();
  const { me, organisation, organisations, switchTo } = useTab();
  const isPlatformAdmin = me.platformRole === 'admin';
  const holder = organisation.suspension ? null : { userId: me.id, permissions: organisation.permissions };
  const shown = consoleTabs.filter(({ right }) => (right === 'platform' ? isPlatformAdmin : allows(holder, right)));
  const current = useCurrentTab(shown);
  const open = shown.find(({ key }) => key === current);
  if (orgId !== organisation.id && isPlatformAdmin)
    return <PlatformPage key={orgId} orgId={orgId as OrgId} own={organisations.find(({ id }) => id === orgId)} />;
  if (orgId !== organisation.id) {
    const title = t({ id: 'organisation.page.title', defaultMessage: 'Organisation settings' });
    const other = organisations.find(({ id }) => id === orgId);
    return (
      <Page title={title} documentTitle={title}>
        {other ? <OtherOrganisation name={other.name} onSwitch={() => switchTo(other)} /> : <UnknownOrganisation />}
      </Page>
    );
  }
  if (!open) return <NoPermissionView />;
  const tabs = shown.map(({ key, name }) => ({ key, label: t(name) }));
  return (
    <ConsoleTabsProvider value={{ tabs, current: open.key }}>
      <open.part />
    </ConsoleTabsProvider>
  );
}

function OtherOrganisation({ name, onSwitch }: { name: string; onSwitch: () => void }) {
  const { t } = useText();
  const action = (
    <Button size="xs" onClick={onSwitch}>
      {t({ id: 'organisation.other.switch', defaultMessage: 'Switch to {name}' }, { name })}
    </Button>
  );
  return (
    <StateView
      icon={Building2}
      title={t({ id: 'organisation.other.title', defaultMessage: 'These are the settings of {name}' }, { name })}
      actions={action}
    >
      {t({
        id: 'organisation.other.text',
        defaultMessage: 'This tab works in another organisation. Switch it to change these settings.',
      })}
    </StateView>
  );
}
