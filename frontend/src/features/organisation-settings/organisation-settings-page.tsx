import { Button } from '@mantine/core';
import type { OrgId } from '@parley/protocol';
import { Building2 } from 'lucide-react';
import type { ComponentType } from 'react';
import { useParams } from 'react-router-dom';
import { useMaySeeTab } from '../../lib/page-tab.ts';
import { useTab } from '../../lib/tab-organisation.tsx';
import { useText } from '../../lib/text.ts';
import { NoPermissionView } from '../../ui/failure-view.tsx';
import { Page } from '../../ui/page.tsx';
import { useCurrentTab } from '../../ui/page-tabs.tsx';
import { StateView } from '../../ui/state-view.tsx';
import { AuditTab } from './audit/audit-tab.tsx';
import { ConsoleTabsProvider } from './parts/console-frame.tsx';
import { GeneralTab } from './general/general-tab.tsx';
import { KeysTab } from './keys/keys-tab.tsx';
import { MembersTab } from './members/members-tab.tsx';
import { ModelsTab } from './models/models-tab.tsx';
import { PlatformTab } from './platform/platform-tab.tsx';
import { UnknownOrganisation } from './platform/unknown-organisation.tsx';
import { WebhooksTab } from './webhooks/webhooks-tab.tsx';
import { consoleTabs } from './console-tabs.ts';
import { PlatformPage } from './platform-page.tsx';

/** Each shows itself in a `ConsoleFrame`. */
const parts: Record<(typeof consoleTabs)[number]['key'], ComponentType> = {
  general: GeneralTab,
  members: MembersTab,
  models: ModelsTab,
  keys: KeysTab,
  webhooks: WebhooksTab,
  audit: AuditTab,
  platform: PlatformTab,
};

/** The console of one organisation, the one of this tab of the browser: each of its tabs by its right. */
export function OrganisationSettingsPage() {
  const { t } = useText();
  const { orgId } = useParams();
  const { me, organisation, organisations, switchTo } = useTab();
  const isPlatformAdmin = me.platformRole === 'admin';
  const shown = consoleTabs.filter(useMaySeeTab());
  const current = useCurrentTab(shown);
  if (orgId !== organisation.id && isPlatformAdmin)
    return <PlatformPage key={orgId} orgId={orgId as OrgId} own={organisations.find(({ id }) => id === orgId)} />;
  if (orgId !== organisation.id) {
    const title = t({ id: 'organisation.page.title', defaultMessage: 'Organisation settings' });
    const other = organisations.find(({ id }) => id === orgId);
    return (
      <Page title={title}>
        {other ? <OtherOrganisation name={other.name} onSwitch={() => switchTo(other)} /> : <UnknownOrganisation />}
      </Page>
    );
  }
  if (!current) return <NoPermissionView />;
  const Part = parts[current];
  const tabs = shown.map(({ key, name }) => ({ key, label: t(name) }));
  return (
    <ConsoleTabsProvider value={{ tabs, current }}>
      <Part />
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
