import { Button } from '@mantine/core';
import { Coins, FileUp } from 'lucide-react';
import { useState } from 'react';
import { lazyPart } from '../../../lib/lazy-part.tsx';
import { useText } from '../../../lib/text.ts';
import { useList } from '../../../lib/use-list.ts';
import { ListView } from '../../../ui/list-view.tsx';
import { SideBySide } from '../../../ui/side-panel.tsx';
import { useActionOff } from '../../../ui/stale.tsx';
import { StateView } from '../../../ui/state-view.tsx';
import table from '../../../ui/table.module.css';
import { TextFilter } from '../../../ui/text-filter.tsx';
import classes from '../parts/organisations.module.css';
import { PriceTable } from './price-table.tsx';

const ImportDialog = lazyPart(async () => (await import('./import-prices-dialog.tsx')).ImportPricesDialog);
const PricePanel = lazyPart(async () => (await import('./price-panel.tsx')).PricePanel);
/** Nobody's room hears of prices. */
const refetchMs = 5_000;

/** What models cost: by it every attempt is priced when it ends. */
export function PricesTab() {
  const { t } = useText();
  const list = useList('GET /api/billing/rates', { filters: { text: 'text' }, refetchMs });
  const { filters, setFilters, first } = list;
  const [opened, setOpened] = useState<'add' | 'import' | null>(null);
  const off = useActionOff();
  const currency = first?.currency ?? null;
  const open = (
    <>
      <Button variant="default" leftSection={<FileUp />} onClick={() => setOpened('import')} {...off}>
        {t({ id: 'installation.prices.import', defaultMessage: 'Import prices' })}
      </Button>
      {/* The panel has the main button of its own. */}
      <Button variant={opened === 'add' ? 'default' : 'filled'} onClick={() => setOpened('add')} {...off}>
        {t({ id: 'installation.prices.add', defaultMessage: 'Add price' })}
      </Button>
    </>
  );
  const close = () => setOpened(null);
  return (
    <SideBySide panel={opened === 'add' ? <PricePanel currency={currency} onClose={close} /> : null}>
      <div className={classes.scroll}>
        <ListView
          list={list}
          loading={t({ id: 'installation.prices.loading', defaultMessage: 'The prices are loading' })}
          failed={t({ id: 'installation.prices.failed', defaultMessage: 'The prices could not be loaded' })}
          empty={
            <StateView
              icon={Coins}
              title={t({ id: 'installation.prices.empty', defaultMessage: 'No prices yet' })}
              actions={open}
            >
              {t({
                id: 'installation.prices.emptyText',
                defaultMessage:
                  'Until a model has a price, its answers are counted as unpriced. A price that comes later does not change them.',
              })}
            </StateView>
          }
          filtering={{
            bar: (
              <div className={`${table.bar} ${classes.bar}`}>
                <TextFilter
                  label={t({ id: 'installation.prices.search', defaultMessage: 'Model or host' })}
                  text={filters.text}
                  onChange={(text) => setFilters({ text })}
                />
                <span className={classes.create}>{open}</span>
              </div>
            ),
            none: t({ id: 'installation.prices.none', defaultMessage: 'No price fits' }),
            clear: () => setFilters({ text: null }),
          }}
          foot={t({
            id: 'installation.prices.foot',
            defaultMessage: 'For a million tokens. A price never changes: a new one begins where the old one ends.',
          })}
        >
          {(items) => <PriceTable items={items} currency={currency ?? ''} />}
        </ListView>
      </div>
      {opened === 'import' ? <ImportDialog currency={currency} onClose={close} /> : null}
    </SideBySide>
  );
}
