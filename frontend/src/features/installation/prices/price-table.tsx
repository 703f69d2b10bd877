import { Button } from '@mantine/core';
import type { Rate } from '@parley/contracts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useFormats } from '../../../lib/formats.ts';
import { api } from '../../../lib/http.ts';
import { useProblemText } from '../../../lib/problem-texts.ts';
import { resourceKey } from '../../../lib/query-keys.ts';
import { useText } from '../../../lib/text.ts';
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx';
import { ListTable } from '../../../ui/list-table.tsx';
import { useActionOff } from '../../../ui/stale.tsx';
import table from '../../../ui/table.module.css';

/** Prices for a million tokens, with the time in which each holds. */
export function PriceTable({ items, currency }: { items: readonly Rate[]; currency: string }) {
  const { t } = useText();
  const [ended, setEnded] = useState<Rate | null>(null);
  const labels = {
    input: t({ id: 'installation.prices.input', defaultMessage: 'Input' }),
    cached: t({ id: 'installation.prices.cached', defaultMessage: 'Cached input' }),
    output: t({ id: 'installation.prices.output', defaultMessage: 'Output' }),
    from: t({ id: 'installation.prices.from', defaultMessage: 'From' }),
    until: t({ id: 'installation.prices.until', defaultMessage: 'Until' }),
  };
  const columns = [
    { key: 'model', label: t({ id: 'installation.prices.model', defaultMessage: 'Model' }) },
    { key: 'input', label: labels.input, isFigure: true },
    { key: 'cached', label: labels.cached, isFigure: true },
    { key: 'output', label: labels.output, isFigure: true },
    { key: 'from', label: labels.from },
    { key: 'until', label: labels.until },
    { key: 'actions', label: t({ id: 'installation.column.actions', defaultMessage: 'Actions' }), isHidden: true },
  ];
  return (
    <>
      <ListTable
        columns={columns}
        items={items}
        cells={(rate) => <Cells rate={rate} currency={currency} labels={labels} onEnd={() => setEnded(rate)} />}
      />
      {ended ? <EndDialog rate={ended} onClose={() => setEnded(null)} /> : null}
    </>
  );
}

type CellsProps = {
  rate: Rate;
  currency: string;
  labels: Readonly<Record<'input' | 'cached' | 'output' | 'from' | 'until', string>>;
  onEnd: () => void;
};

function Cells({ rate, currency, labels, onEnd }: CellsProps) {
  const { t } = useText();
  const { price, date, exact } = useFormats();
  const off = useActionOff();
  const { model, host, validFrom, validUntil } = rate;
  const figures = [
    ['input', rate.inputMicros],
    ['cached', rate.cachedMicros],
    ['output', rate.outputMicros],
  ] as const;
  return (
    <>
      <td>
        <bdi className={table.name} dir="ltr">
          {model}
        </bdi>
        <bdi className={table.second}>
          {host ?? t({ id: 'installation.prices.everywhere', defaultMessage: 'at every provider' })}
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
        {validUntil ? date(validUntil) : t({ id: 'installation.prices.open', defaultMessage: 'no end' })}
      </td>
      <td className={table.actions}>
        {validUntil === null ? (
          <div className={table.rowActions}>
            <Button variant="default" size="xs" onClick={onEnd} {...off}>
              {t({ id: 'installation.prices.end', defaultMessage: 'End' })}
              <span className="p-hidden">: {model}</span>
            </Button>
          </div>
        ) : null}
      </td>
    </>
  );
}

function EndDialog({ rate: { id: rateId, model, version }, onClose }: { rate: Rate; onClose: () => void }) {
  const { t } = useText();
  const describe = useProblemText();
  const client = useQueryClient();
  const end = useMutation({
    mutationFn: () =>
      api('PATCH /api/billing/rates/:rateId', { params: { rateId }, body: { version, validUntil: null } }),
    onSuccess: onClose,
    onSettled: () => client.invalidateQueries({ queryKey: resourceKey('rates', null) }),
  });
  return (
    <ConfirmDialog
      title={t(
        { id: 'installation.prices.endTitle', defaultMessage: 'End the price of {model}?' },
        { model: `\u2068${model}\u2069` },
      )}
      confirm={t({ id: 'installation.prices.endConfirm', defaultMessage: 'End price' })}
      isBusy={end.isPending}
      error={end.error ? describe(end.error).text : null}
      onConfirm={() => end.mutate()}
      onClose={onClose}
    >
      {t({
        id: 'installation.prices.endText',
        defaultMessage:
          'It ends now. Answers from now on are counted as unpriced, unless there is another price; those of before keep their cost.',
      })}
    </ConfirmDialog>
  );
}
