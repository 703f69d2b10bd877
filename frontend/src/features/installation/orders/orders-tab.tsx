import { Button } from '@mantine/core';
import { ShoppingCart } from 'lucide-react';
import { useState } from 'react';
import { lazyPart } from '../../../lib/lazy-part.tsx';
import { useOrderStates } from '../../../domain/order/order-states.ts';
import { useText } from '../../../lib/text.ts';
import { useList } from '../../../lib/use-list.ts';
import { ChoiceFilters } from '../../../ui/choice-filters.tsx';
import { ListTable } from '../../../ui/list-table.tsx';
import { ListView } from '../../../ui/list-view.tsx';
import { SideBySide } from '../../../ui/side-panel.tsx';
import { useActionOff } from '../../../ui/stale.tsx';
import { StateView } from '../../../ui/state-view.tsx';
import table from '../../../ui/table.module.css';
import { OrderCells, useOrderColumns } from './order-cells.tsx';
import classes from '../parts/organisations.module.css';

const TermsPanel = lazyPart(async () => (await import('./terms-panel.tsx')).TermsPanel);
const states = ['placed', 'confirmed', 'refused', 'withdrawn'] as const;
/** A platform admin is in no room that hears of all organisations. */
const refetchMs = 2_000;

/** What organisations have ordered: confirmed and refused here. */
export function OrdersTab() {
  const { t } = useText();
  const names = useOrderStates();
  const columns = useOrderColumns();
  const list = useList('GET /api/billing/all-orders', { filters: { state: states }, refetchMs });
  const { filters, setFilters } = list;
  const [isSetting, setSetting] = useState(false);
  const off = useActionOff();
  const terms = (
    <Button variant="default" size="xs" onClick={() => setSetting(true)} {...off}>
      {t({ id: 'installation.terms.open', defaultMessage: 'Seat price and seller' })}
    </Button>
  );
  return (
    <SideBySide panel={isSetting ? <TermsPanel onClose={() => setSetting(false)} /> : null}>
      <div className={classes.scroll}>
        <ListView
          list={list}
          loading={t({ id: 'installation.orders.loading', defaultMessage: 'The orders are loading' })}
          failed={t({ id: 'installation.orders.failed', defaultMessage: 'The orders could not be loaded' })}
          empty={
            <StateView
              icon={ShoppingCart}
              title={t({ id: 'installation.orders.empty', defaultMessage: 'No orders yet' })}
              actions={terms}
            >
              {t({
                id: 'installation.orders.emptyText',
                defaultMessage: 'Once a seat has a price, organisations with a limit of seats can order more.',
              })}
            </StateView>
          }
          filtering={{
            bar: (
              <div className={table.bar}>
                <ChoiceFilters
                  choices={[
                    {
                      name: 'state',
                      label: t({ id: 'installation.column.state', defaultMessage: 'State' }),
                      options: states.map((state) => ({ value: state, label: names[state].words })),
                    },
                  ]}
                  values={{ state: filters.state }}
                  onChange={({ state = null }) => setFilters({ state: state as typeof filters.state })}
                />
                <span className={classes.create}>{terms}</span>
              </div>
            ),
            none: t({ id: 'installation.orders.none', defaultMessage: 'No order is in this state' }),
            clear: () => setFilters({ state: null }),
          }}
          foot={t({
            id: 'installation.orders.foot',
            defaultMessage: 'Confirming an order writes its invoice and raises the limit of seats at once.',
          })}
        >
          {(items) => <ListTable columns={columns} items={items} cells={(order) => <OrderCells order={order} />} />}
        </ListView>
      </div>
    </SideBySide>
  );
}
