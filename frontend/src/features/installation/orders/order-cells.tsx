import { Button, TextInput } from '@mantine/core';
import type { Order } from '@parley/contracts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useFormats } from '../../../lib/formats.ts';
import { api, type Call } from '../../../lib/http.ts';
import { useOrderStates } from '../../../domain/order/order-states.ts';
import { resourceKey } from '../../../lib/query-keys.ts';
import { useText } from '../../../lib/text.ts';
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx';
import { Status, type Column } from '../../../ui/list-table.tsx';
import { useActionOff } from '../../../ui/stale.tsx';
import table from '../../../ui/table.module.css';
import { OrderRefusal } from '../../../domain/order/order-refusal.tsx';

export function useOrderColumns(): Column[] {
  const { t } = useText();
  return [
    { key: 'organisation', label: t({ id: 'installation.orders.organisation', defaultMessage: 'Organisation' }) },
    { key: 'what', label: t({ id: 'installation.orders.what', defaultMessage: 'Order' }) },
    { key: 'state', label: t({ id: 'installation.column.state', defaultMessage: 'State' }) },
    { key: 'total', label: t({ id: 'installation.orders.total', defaultMessage: 'Total' }), isFigure: true },
    { key: 'when', label: t({ id: 'installation.orders.when', defaultMessage: 'When' }) },
    { key: 'actions', label: t({ id: 'installation.column.actions', defaultMessage: 'Actions' }), isHidden: true },
  ];
}

type Decision = Call<'PUT /api/billing/all-orders/:orderId/decision'>['body'];

function useDecide({ id }: Order) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: Decision) =>
      api('PUT /api/billing/all-orders/:orderId/decision', { params: { orderId: id }, body }),
    onSettled: () => client.invalidateQueries({ queryKey: resourceKey('all-orders', null) }),
  });
}

export function OrderCells({ order }: { order: Order }) {
  const { t } = useText();
  const { money, ago, exact } = useFormats();
  const states = useOrderStates();
  const [asked, setAsked] = useState<Decision['decision'] | null>(null);
  const { organisation, seats, months, state, totalMinor, currency, placedBy, placedAt, decidedBy } = order;
  const { shape, words } = states[state];
  return (
    <>
      <td>
        <bdi className={table.name}>{organisation}</bdi>
        <bdi className={table.second}>{placedBy.name}</bdi>
      </td>
      <td>
        {t(
          {
            id: 'installation.orders.seats',
            defaultMessage:
              '{seats, plural, one {# seat} other {# seats}} for {months, plural, one {# month} other {# months}}',
          },
          { seats, months },
        )}
        <OrderRefusal order={order} />
      </td>
      <td>
        <Status kind={shape}>{words}</Status>
        <bdi className={table.second}>{order.invoice?.number ?? decidedBy?.name}</bdi>
      </td>
      <td className={table.figure}>{money(totalMinor, currency)}</td>
      <td className={table.quiet} title={exact(placedAt)}>
        {ago(placedAt)}
      </td>
      <td className={table.actions}>
        {state === 'placed' ? <Actions order={order} onAsk={setAsked} /> : null}
        {asked === 'refused' ? <RefuseDialog order={order} onClose={() => setAsked(null)} /> : null}
        {asked === 'confirmed' ? <AcceptDialog order={order} onClose={() => setAsked(null)} /> : null}
      </td>
    </>
  );
}

function Actions({ order, onAsk }: { order: Order; onAsk: (decision: Decision['decision']) => void }) {
  const { t } = useText();
  const off = useActionOff();
  return (
    <div className={table.rowActions}>
      <Button variant="subtle" size="xs" onClick={() => onAsk('refused')} {...off}>
        {t({ id: 'installation.orders.refuse', defaultMessage: 'Refuse' })}
        <span className="p-hidden">: {order.organisation}</span>
      </Button>
      <Button variant="default" size="xs" onClick={() => onAsk('confirmed')} {...off}>
        {t({ id: 'installation.orders.confirm', defaultMessage: 'Confirm' })}
        <span className="p-hidden">: {order.organisation}</span>
      </Button>
    </div>
  );
}

/** An invoice gets its number with it and is never changed. */
function AcceptDialog({ order, onClose }: { order: Order; onClose: () => void }) {
  const { t } = useText();
  const { money } = useFormats();
  const decide = useDecide(order);
  const { version, seats, totalMinor, currency } = order;
  return (
    <ConfirmDialog
      title={t(
        { id: 'installation.orders.confirmTitle', defaultMessage: 'Confirm the order of {name}?' },
        { name: `\u2068${order.organisation}\u2069` },
      )}
      confirm={t({ id: 'installation.orders.confirmConfirm', defaultMessage: 'Confirm order' })}
      act={decide}
      onConfirm={() => decide.mutate({ version, decision: 'confirmed' }, { onSuccess: onClose })}
      onClose={onClose}
    >
      {t(
        {
          id: 'installation.orders.confirmText',
          defaultMessage:
            'An invoice for {total} is issued, and the organisation gets {seats, plural, one {# more seat} other {# more seats}} immediately. You can’t undo this.',
        },
        { total: money(totalMinor, currency), seats },
      )}
    </ConfirmDialog>
  );
}

function RefuseDialog({ order, onClose }: { order: Order; onClose: () => void }) {
  const { t } = useText();
  const decide = useDecide(order);
  const [reason, setReason] = useState('');
  const [isMissing, setMissing] = useState(false);
  const refuse = () => {
    if (reason.trim() === '') return setMissing(true);
    decide.mutate({ version: order.version, decision: 'refused', reason }, { onSuccess: onClose });
  };
  return (
    <ConfirmDialog
      title={t(
        { id: 'installation.orders.refuseTitle', defaultMessage: 'Refuse the order of {name}?' },
        { name: `\u2068${order.organisation}\u2069` },
      )}
      confirm={t({ id: 'installation.orders.refuseConfirm', defaultMessage: 'Refuse order' })}
      act={decide}
      onConfirm={refuse}
      onClose={onClose}
      field={
        <TextInput
          dir="auto"
          maxLength={300}
          label={t({ id: 'installation.orders.reason', defaultMessage: 'Reason, which they read' })}
          value={reason}
          error={
            isMissing && reason.trim() === ''
              ? t({
                  id: 'installation.orders.reasonCheck',
                  defaultMessage: 'Give a reason: the person who ordered reads it.',
                })
              : null
          }
          onChange={(event) => setReason(event.currentTarget.value)}
        />
      }
    >
      {t({
        id: 'installation.orders.refuseText',
        defaultMessage: 'The order ends without an invoice. They can order again.',
      })}
    </ConfirmDialog>
  );
}
