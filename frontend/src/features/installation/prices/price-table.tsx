import { Button } from '@mantine/core';
import type { Rate } from '@parley/contracts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { RateCells, useRateColumns } from '../../../domain/rate/rate-cells.tsx';
import { api } from '../../../lib/http.ts';
import { resourceKey } from '../../../lib/query-keys.ts';
import { useText } from '../../../lib/text.ts';
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx';
import { ListTable } from '../../../ui/list-table.tsx';
import { useActionOff } from '../../../ui/stale.tsx';
import table from '../../../ui/table.module.css';

/** Lists prices per million tokens, each with its first and last day. */
export function PriceTable({ items, currency }: { items: readonly Rate[]; currency: string }) {
  const { t } = useText();
  const [ended, setEnded] = useState<Rate | null>(null);
  const columns = [
    ...useRateColumns(),
    { key: 'actions', label: t({ id: 'installation.column.actions', defaultMessage: 'Actions' }), isHidden: true },
  ];
  return (
    <>
      <ListTable
        columns={columns}
        items={items}
        cells={(rate) => (
          <>
            <RateCells rate={rate} currency={currency} />
            <EndCell rate={rate} onEnd={() => setEnded(rate)} />
          </>
        )}
      />
      {ended ? <EndDialog rate={ended} onClose={() => setEnded(null)} /> : null}
    </>
  );
}

type EndProps = { rate: Rate; onEnd: () => void };

function EndCell({ rate: { model, validUntil }, onEnd }: EndProps) {
  const { t } = useText();
  const off = useActionOff();
  return (
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
  );
}

function EndDialog({ rate: { id: rateId, model, version }, onClose }: { rate: Rate; onClose: () => void }) {
  const { t } = useText();
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
      act={end}
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
