import { Button } from '@mantine/core';
import type { Provider } from '@parley/contracts';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { useText } from '../../../lib/text.ts';
import { useList } from '../../../lib/use-list.ts';
import { ListView } from '../../../ui/list-view.tsx';
import { SideBySide } from '../../../ui/side-panel.tsx';
import { useActionOff } from '../../../ui/stale.tsx';
import classes from '../parts/organisation-settings.module.css';
import { ConsoleFrame } from '../parts/console-frame.tsx';
import { OfferNotes } from './offer-notes.tsx';
import { ProviderPanel } from './provider-panel/index.tsx';
import { NoProviders, ProviderTable } from './provider-table.tsx';
import { TitleOption } from './title-option.tsx';

/** The model servers of the organisation, and the one that is being changed beside them. */
export function ModelsTab() {
  const { t } = useText();
  const off = useActionOff();
  const [edited, setEdited] = useState<Provider | 'new' | null>(null);
  const add = edited ? null : (
    <Button leftSection={<Plus />} onClick={() => setEdited('new')} {...off}>
      {t({ id: 'organisation.page.add', defaultMessage: 'Add provider' })}
    </Button>
  );
  return (
    <ConsoleFrame actions={add}>
      <SideBySide
        panel={
          edited && (
            <EditedProvider
              key={edited === 'new' ? 'new' : edited.id}
              provider={edited === 'new' ? null : edited}
              onClose={() => setEdited(null)}
            />
          )
        }
      >
        <div className={classes.main}>
          <Providers onEdit={setEdited} />
        </div>
      </SideBySide>
    </ConsoleFrame>
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
              'Model servers that members can use. The built-in assistant, which quotes documents without a model, is always available.',
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
        {(providers) => (
          <>
            <ProviderTable providers={providers} onEdit={onEdit} />
            <TitleOption />
          </>
        )}
      </ListView>
    </section>
  );
}

/** Where there is a provider, one of them is the default; until that is known nobody's place is taken. */
function EditedProvider(props: Omit<Parameters<typeof ProviderPanel>[0], 'hasDefault'>) {
  const { items } = useList('GET /api/chat/providers');
  return <ProviderPanel {...props} hasDefault={items?.length !== 0} />;
}
