import { Button } from '@mantine/core';
import { Building2, Plus } from 'lucide-react';
import { useState } from 'react';
import { Link, useParams } from 'react-router-dom';
import type { Provider } from '@parley/contracts';
import { usePaths } from '../../lib/paths.ts';
import { useRight, useTab } from '../../lib/tab-organisation.tsx';
import { useText } from '../../lib/text.ts';
import { useList } from '../../lib/use-list.ts';
import { OrganisationMark } from '../../ui/avatar.tsx';
import { ListView } from '../../ui/list-view.tsx';
import { LiveChip } from '../../ui/live-chip.tsx';
import { Page } from '../../ui/page.tsx';
import { useActionOff } from '../../ui/stale.tsx';
import { StateView } from '../../ui/state-view.tsx';
import { NameField } from './components/name-field.tsx';
import { OfferNotes } from './components/offer-notes.tsx';
import { ProviderPanel } from './components/provider-panel.tsx';
import { NoProviders, ProviderTable } from './components/provider-table.tsx';
import classes from './organisation-settings.module.css';

/** Name, providers and models of one organisation: the one of this tab. */
export function OrganisationSettingsPage() {
  const { t } = useText();
  const { orgId } = useParams();
  const { organisation, organisations, switchTo } = useTab();
  const mayConfigure = useRight('model:configure');
  const off = useActionOff();
  const [edited, setEdited] = useState<Provider | 'new' | null>(null);
  const title = t({ id: 'organisation.page.title', defaultMessage: 'Organisation settings' });
  if (orgId !== organisation.id) {
    const other = organisations.find(({ id }) => id === orgId);
    return (
      <Page title={title} documentTitle={title}>
        {other ? <OtherOrganisation name={other.name} onSwitch={() => switchTo(other)} /> : <UnknownOrganisation />}
      </Page>
    );
  }
  const add = mayConfigure ? (
    <Button leftSection={<Plus size={16} strokeWidth={1.75} />} onClick={() => setEdited('new')} {...off}>
      {t({ id: 'organisation.page.add', defaultMessage: 'Add provider' })}
    </Button>
  ) : null;
  return (
    <Page
      title={<bdi>{organisation.name}</bdi>}
      documentTitle={title}
      before={<OrganisationMark organisation={organisation} size={28} />}
      actions={
        <>
          <LiveChip />
          {edited ? null : add}
        </>
      }
    >
      <div className={classes.split}>
        <div className={classes.main}>
          <NameField key={organisation.id} />
          {mayConfigure ? <Providers onEdit={setEdited} /> : null}
        </div>
        {edited ? (
          <EditedProvider
            key={edited === 'new' ? 'new' : edited.id}
            provider={edited === 'new' ? null : edited}
            onClose={() => setEdited(null)}
          />
        ) : null}
      </div>
    </Page>
  );
}

function Providers({ onEdit }: { onEdit: (provider: Provider | 'new') => void }) {
  const { t } = useText();
  const list = useList('GET /api/chat/providers');
  return (
    <section aria-label={t({ id: 'organisation.providers.title', defaultMessage: 'Models and providers' })}>
      <header className={classes.sectionHead}>
        <h2 className="p-h3">{t({ id: 'organisation.providers.title', defaultMessage: 'Models and providers' })}</h2>
        <p className="p-sm p-quiet">
          {t({
            id: 'organisation.providers.about',
            defaultMessage:
              'Model servers that members may ask. The built-in assistant, which quotes documents without a model, is always there.',
          })}
        </p>
      </header>
      <OfferNotes providers={list.items} />
      <ListView
        list={list}
        loading={t({ id: 'organisation.providers.loading', defaultMessage: 'The providers are loading' })}
        failed={t({ id: 'organisation.providers.failed', defaultMessage: 'The providers could not be loaded' })}
        empty={<NoProviders onAdd={() => onEdit('new')} />}
      >
        {(providers) => <ProviderTable providers={providers} onEdit={onEdit} />}
      </ListView>
    </section>
  );
}

/** Where there is a provider, one of them is the default; until that is known nobody's place is taken. */
function EditedProvider(props: Omit<Parameters<typeof ProviderPanel>[0], 'hasDefault'>) {
  const { items } = useList('GET /api/chat/providers');
  return <ProviderPanel {...props} hasDefault={items?.length !== 0} />;
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
