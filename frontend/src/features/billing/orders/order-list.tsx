import { Button } from '@mantine/core';
import type { Order } from '@parley/contracts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { ShoppingCart } from 'lucide-react';
import { Link } from 'react-router-dom';
import { useFormats } from '../../../lib/formats.ts';
import { api } from '../../../lib/http.ts';
import { orderPath } from './order-path.ts';
import { useOrderStates } from '../../../domain/order/order-states.ts';
import { usePaths } from '../../../lib/paths.ts';
import { resourceKey } from '../../../lib/query-keys.ts';
import { useRight, useTab } from '../../../lib/tab-organisation.tsx';
import { useText } from '../../../lib/text.ts';
import { useList } from '../../../lib/use-list.ts';
import { ListTable, Status } from '../../../ui/list-table.tsx';
import { ListView } from '../../../ui/list-view.tsx';
import { useActionOff } from '../../../ui/stale.tsx';
import { StateView } from '../../../ui/state-view.tsx';
import table from '../../../ui/table.module.css';
import { useErrorToast } from '../../../ui/error-toast.ts';
import classes from '../parts/billing.module.css';
import { OrderRefusal } from '../../../domain/order/order-refusal.tsx';

/** Newest first; one that waits can be withdrawn. */
export function OrderList() {
  const { t } = useText();
  const list = useList('GET /api/billing/orders');
  const title = t({ id: 'billing.orders.title', defaultMessage: 'Orders' });
  const columns = [
    { key: 'what', label: t({ id: 'billing.orders.what', defaultMessage: 'Order' }) },
    { key: 'state', label: t({ id: 'billing.orders.state', defaultMessage: 'State' }) },
    { key: 'by', label: t({ id: 'billing.orders.by', defaultMessage: 'Ordered by' }) },
    { key: 'total', label: t({ id: 'billing.orders.total', defaultMessage: 'Total' }), isFigure: true },
    { key: 'actions', label: t({ id: 'billing.orders.actions', defaultMessage: 'Actions' }), isHidden: true },
  ];
  return (
    <section aria-label={title} className={classes.rows}>
      <h3 className={`p-h3 ${classes.partTitle}`}>{title}</h3>
      <ListView
        list={list}
        loading={t({ id: 'billing.orders.loading', defaultMessage: 'The orders are loading' })}
        failed={t({ id: 'billing.orders.failed', defaultMessage: 'The orders could not be loaded' })}
        empty={
          <StateView icon={ShoppingCart} title={t({ id: 'billing.orders.empty', defaultMessage: 'No orders yet' })}>
            {t({
              id: 'billing.orders.emptyText',
              defaultMessage: 'Seats that you order appear here, from the order to its invoice.',
            })}
          </StateView>
        }
      >
        {(items) => <ListTable columns={columns} items={items} cells={(order) => <Cells order={order} />} />}
      </ListView>
    </section>
  );
}

function Cells({ order }: { order: Order }) {
  const { t } = useText();
  const { money, ago, exact } = useFormats();
  const paths = usePaths();
  const states = useOrderStates();
  const { id, seats, months, state, placedBy, placedAt, totalMinor, currency } = order;
  const { shape, words } = states[state];
  return (
    <>
      <td>
        <Link className={`p-link ${classes.strong}`} to={orderPath(paths, id)}>
          {t(
            {
              id: 'billing.orders.seats',
              defaultMessage:
                '{seats, plural, one {# seat} other {# seats}} for {months, plural, one {# month} other {# months}}',
            },
            { seats, months },
          )}
        </Link>
        <OrderRefusal order={order} />
      </td>
      <td>
        <Status kind={shape}>{words}</Status>
      </td>
      <td>
        <bdi>{placedBy.name}</bdi>
        <span className={table.second} title={exact(placedAt)}>
          {ago(placedAt)}
        </span>
      </td>
      <td className={table.figure}>{money(totalMinor, currency)}</td>
      <td className={table.actions}>{state === 'placed' ? <Withdraw order={order} /> : null}</td>
    </>
  );
}

function Withdraw({ order }: { order: Order }) {
  const { t } = useText();
  const { organisation } = useTab();
  const mayOrder = useRight('billing:manage');
  const showError = useErrorToast();
  const client = useQueryClient();
  const off = useActionOff();
  const orgId = organisation.id;
  const withdraw = useMutation({
    mutationFn: () =>
      api('PUT /api/billing/orders/:orderId/withdrawal', { orgId, params: { orderId: order.id }, retries: 2 }),
    onError: showError,
    onSettled: () => client.invalidateQueries({ queryKey: resourceKey('orders', orgId) }),
  });
  if (!mayOrder) return null;
  return (
    <Button variant="default" size="xs" loading={withdraw.isPending} onClick={() => withdraw.mutate()} {...off}>
      {t({ id: 'billing.orders.withdraw', defaultMessage: 'Withdraw order' })}
    </Button>
  );
}
