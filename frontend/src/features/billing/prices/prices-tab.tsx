import { Coins } from 'lucide-react';
import { useFormats } from '../../../lib/formats.ts';
import type { Answer } from '../../../lib/http.ts';
import { useText } from '../../../lib/text.ts';
import { useList } from '../../../lib/use-list.ts';
import { ListTable } from '../../../ui/list-table.tsx';
import { ListView } from '../../../ui/list-view.tsx';
import { StateView } from '../../../ui/state-view.tsx';
import table from '../../../ui/table.module.css';
import { SetPrices } from '../parts/set-prices.tsx';

/** Nobody's room hears of prices. */
const refetchMs = 5_000;
type Price = Answer<'GET /api/billing/prices'>['items'][number];

/** What models cost here, as platform admins have set it. */
export function PricesTab() {
  const { t } = useText();
  const list = useList('GET /api/billing/prices', { refetchMs });
  const labels = useLabels();
  const columns = [
    { key: 'model', label: t({ id: 'billing.prices.model', defaultMessage: 'Model' }) },
    { key: 'input', label: labels.input, isFigure: true },
    { key: 'cached', label: labels.cached, isFigure: true },
    { key: 'output', label: labels.output, isFigure: true },
    { key: 'from', label: labels.from },
    { key: 'until', label: labels.until },
  ];
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
          cells={(price) => <Cells price={price} currency={list.first?.currency ?? ''} />}
        />
      )}
    </ListView>
  );
}

function useLabels() {
  const { t } = useText();
  return {
    input: t({ id: 'billing.prices.input', defaultMessage: 'Input' }),
    cached: t({ id: 'billing.prices.cached', defaultMessage: 'Cached input' }),
    output: t({ id: 'billing.prices.output', defaultMessage: 'Output' }),
    from: t({ id: 'billing.prices.from', defaultMessage: 'From' }),
    until: t({ id: 'billing.prices.until', defaultMessage: 'Until' }),
  };
}

function Cells({ price: row, currency }: { price: Price; currency: string }) {
  const { t } = useText();
  const { price, date, exact } = useFormats();
  const labels = useLabels();
  const { model, host, validFrom, validUntil } = row;
  const figures = [
    ['input', row.inputMicros],
    ['cached', row.cachedMicros],
    ['output', row.outputMicros],
  ] as const;
  return (
    <>
      <td>
        <bdi className={table.name} dir="ltr">
          {model}
        </bdi>
        <bdi className={table.second}>
          {host ?? t({ id: 'billing.prices.everywhere', defaultMessage: 'at every provider' })}
        </bdi>
      </td>
      {figures.map(([name, micros]) => (
        <td key={name} className={table.figure} data-label={labels[name]}>
          {price(micros, currency)}
        </td>
      ))}
      <td className={table.quiet} title={exact(validFrom)} data-label={labels.from}>
        {date(validFrom)}
      </td>
      <td className={table.quiet} title={validUntil ? exact(validUntil) : undefined} data-label={labels.until}>
        {validUntil ? date(validUntil) : t({ id: 'billing.prices.open', defaultMessage: 'no end' })}
      </td>
    </>
  );
}
