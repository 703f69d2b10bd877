import { Button } from '@mantine/core';
import type { Permission } from '@parley/contracts';
import { allows } from '@parley/contracts/permissions';
import { Building2 } from 'lucide-react';
import type { ComponentType } from 'react';
import { defineMessages, type MessageDescriptor } from 'react-intl';
import { Link, useParams } from 'react-router-dom';
import { usePaths } from '../../lib/paths.ts';
import { useTab } from '../../lib/tab-organisation.tsx';
import { useText } from '../../lib/text.ts';
import { NoPermissionView } from '../../ui/failure-view.tsx';
import { Page } from '../../ui/page.tsx';
import { useCurrentTab } from '../../ui/page-tabs.tsx';
import { StateView } from '../../ui/state-view.tsx';
import { AuditTab } from './components/audit-tab.tsx';
import { ConsoleTabsProvider } from './components/console-frame.tsx';
import { GeneralTab } from './components/general-tab.tsx';
import { MembersTab } from './components/members-tab.tsx';
import { ModelsTab } from './components/models-tab.tsx';

type ConsoleTab = {
  readonly key: string;
  /** Whoever lacks it does not see the tab. */
  readonly right: Permission;
  readonly name: MessageDescriptor;
  /** Shows itself in a `ConsoleFrame`. */
  readonly part: ComponentType;
};

const names = defineMessages({
  general: { id: 'organisation.tab.general', defaultMessage: 'General' },
  members: { id: 'organisation.tab.members', defaultMessage: 'Members' },
  models: { id: 'organisation.tab.models', defaultMessage: 'Models' },
  audit: { id: 'organisation.tab.audit', defaultMessage: 'Audit log' },
});

const consoleTabs: readonly ConsoleTab[] = [
  { key: 'general', right: 'org:update', name: names.general, part: GeneralTab },
  { key: 'members', right: 'member:read', name: names.members, part: MembersTab },
  { key: 'models', right: 'model:configure', name: names.models, part: ModelsTab },
  { key: 'audit', right: 'audit:read', name: names.audit, part: AuditTab },
];

/** The console of one organisation, the one of this tab of the browser: each of its tabs by its right. */
export function OrganisationSettingsPage() {
  const { t } = useText();
  const { orgId } = useParams();
  const { me, organisation, organisations, switchTo } = useTab();
  const shown = consoleTabs.filter(({ right }) =>
    allows({ userId: me.id, permissions: organisation.permissions }, right),
  );
  const current = useCurrentTab(shown);
  const open = shown.find(({ key }) => key === current);
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

function UnknownOrganisation() {
  const { t } = useText();
  const paths = usePaths();
  const action = (
    <Button size="xs" component={Link} to={paths.to('settings/orgs')}>
      {t({ id: 'organisation.unknown.list', defaultMessage: 'Show your organisations' })}
    </Button>
  );
  return (
    <StateView
      icon={Building2}
      title={t({ id: 'organisation.unknown.title', defaultMessage: 'There is no such organisation among yours' })}
      actions={action}
    >
      {t({ id: 'organisation.unknown.text', defaultMessage: 'It does not exist, or you are not a member of it.' })}
    </StateView>
  );
}
