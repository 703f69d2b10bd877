import { Coins } from 'lucide-react';
import { RateCells, useRateColumns } from '../../../domain/rate/rate-cells.tsx';
import { useText } from '../../../lib/text.ts';
import { useList } from '../../../lib/use-list.ts';
import { ListTable } from '../../../ui/list-table.tsx';
import { ListView } from '../../../ui/list-view.tsx';
import { StateView } from '../../../ui/state-view.tsx';
import { SetPrices } from '../parts/set-prices.tsx';

/** No live event says that a price has changed, so the tab reads them again. */
const refetchMs = 5_000;

/** Shows the prices of models that platform admins have set. */
export function PricesTab() {
  const { t } = useText();
  const list = useList('GET /api/billing/prices', { refetchMs });
  const columns = useRateColumns();
  return (
    <ListView
      list={list}
      loading={t({ id: 'billing.prices.loading', defaultMessage: 'The prices are loading' })}
      failed={t({ id: 'billing.prices.failed', defaultMessage: 'The prices could not be loaded' })}
      empty={
        <StateView
          icon={Coins}
          title={t({ id: 'billing.prices.empty', defaultMessage: 'No model has a price' })}
          actions={<SetPrices isFirst />}
        >
          {t({
            id: 'billing.prices.emptyText',
            defaultMessage: 'Until a platform admin of this installation sets prices, answers are counted as unpriced.',
          })}
        </StateView>
      }
      foot={
        <>
          {t({
            id: 'billing.prices.foot',
            defaultMessage:
              'For a million tokens. A price for one host goes before that for every provider. A model without a price is counted as unpriced.',
          })}{' '}
          <SetPrices />
        </>
      }
    >
      {(items) => (
        <ListTable
          columns={columns}
          items={items}
          cells={(rate) => <RateCells rate={rate} currency={list.first?.currency ?? ''} />}
        />
      )}
    </ListView>
  );
}
