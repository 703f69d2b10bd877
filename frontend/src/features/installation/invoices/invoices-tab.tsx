import { dayAt } from '@parley/contracts';
import type { Invoice } from '@parley/contracts';
import { FileText } from 'lucide-react';
import { useState } from 'react';
import { Button } from '@mantine/core';
import { useFormats } from '../../../lib/formats.ts';
import { lazyPart } from '../../../lib/lazy-part.tsx';
import { useText } from '../../../lib/text.ts';
import { useList } from '../../../lib/use-list.ts';
import { ChoiceFilters } from '../../../ui/choice-filters.tsx';
import { ListTable, Status } from '../../../ui/list-table.tsx';
import { ListView } from '../../../ui/list-view.tsx';
import { useActionOff } from '../../../ui/stale.tsx';
import { StateView } from '../../../ui/state-view.tsx';
import table from '../../../ui/table.module.css';

const PaymentDialog = lazyPart(async () => (await import('./payment-dialog.tsx')).PaymentDialog);
const states = ['open', 'paid'] as const;
/** A platform admin is in no room that hears of all organisations. */
const refetchMs = 2_000;

/** What was billed to organisations, and the money that came in. */
export function InvoicesTab() {
  const { t } = useText();
  const list = useList('GET /api/billing/all-invoices', { filters: { state: states }, refetchMs });
  const { filters, setFilters, items } = list;
  const [today] = useState(() => dayAt(Date.now(), 'UTC'));
  const [paidId, setPaidId] = useState<string | null>(null);
  const paid = items?.find(({ id }) => id === paidId);
  const names = {
    open: t({ id: 'installation.invoices.open', defaultMessage: 'Open' }),
    paid: t({ id: 'installation.invoices.paid', defaultMessage: 'Paid' }),
  };
  const columns = [
    { key: 'number', label: t({ id: 'installation.invoices.number', defaultMessage: 'Number' }) },
    { key: 'buyer', label: t({ id: 'installation.invoices.buyer', defaultMessage: 'Buyer' }) },
    { key: 'due', label: t({ id: 'installation.invoices.due', defaultMessage: 'Due' }) },
    { key: 'total', label: t({ id: 'installation.orders.total', defaultMessage: 'Total' }), isFigure: true },
    { key: 'paid', label: names.paid, isFigure: true },
    { key: 'actions', label: t({ id: 'installation.column.actions', defaultMessage: 'Actions' }), isHidden: true },
  ];
  return (
    <>
      <ListView
        list={list}
        loading={t({ id: 'installation.invoices.loading', defaultMessage: 'The invoices are loading' })}
        failed={t({ id: 'installation.invoices.failed', defaultMessage: 'The invoices could not be loaded' })}
        empty={
          <StateView
            icon={FileText}
            title={t({ id: 'installation.invoices.empty', defaultMessage: 'No invoices yet' })}
          >
            {t({
              id: 'installation.invoices.emptyText',
              defaultMessage: 'An order that is confirmed has its invoice here, and the money that comes in for it.',
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
                    options: states.map((state) => ({ value: state, label: names[state] })),
                  },
                ]}
                values={{ state: filters.state }}
                onChange={({ state = null }) => setFilters({ state: state as typeof filters.state })}
              />
            </div>
          ),
          none: t({ id: 'installation.invoices.none', defaultMessage: 'No invoice is in this state' }),
          clear: () => setFilters({ state: null }),
        }}
      >
        {(found) => (
          <ListTable
            columns={columns}
            items={found}
            cells={(invoice) => <Cells invoice={invoice} today={today} onPay={() => setPaidId(invoice.id)} />}
          />
        )}
      </ListView>
      {paid ? <PaymentDialog invoice={paid} onClose={() => setPaidId(null)} /> : null}
    </>
  );
}

function Cells({ invoice, today, onPay }: { invoice: Invoice; today: string; onPay: () => void }) {
  const { t } = useText();
  const { money, day } = useFormats();
  const off = useActionOff();
  const { number, buyer, issuedOn, dueOn, totalMinor, paidMinor, currency, payments } = invoice;
  const isPaid = paidMinor >= totalMinor;
  const isOverdue = !isPaid && today > dueOn;
  const credit = paidMinor - totalMinor;
  return (
    <>
      <td>
        <span className={table.name}>{number}</span>
        <span className={table.second}>{day(issuedOn)}</span>
      </td>
      <td>
        <bdi>{buyer.name}</bdi>
      </td>
      <td>
        <Status kind={isPaid ? 'ok' : isOverdue ? 'bad' : 'waiting'}>
          {isPaid
            ? t({ id: 'installation.invoices.paid', defaultMessage: 'Paid' })
            : isOverdue
              ? t({ id: 'installation.invoices.overdue', defaultMessage: 'Overdue since {day}' }, { day: day(dueOn) })
              : day(dueOn)}
        </Status>
      </td>
      <td className={table.figure}>{money(totalMinor, currency)}</td>
      <td className={table.figure} data-label={t({ id: 'installation.invoices.paid', defaultMessage: 'Paid' })}>
        {money(paidMinor, currency)}
        <span className={table.second}>
          {credit > 0
            ? t(
                { id: 'installation.invoices.credit', defaultMessage: '{amount} credit' },
                { amount: money(credit, currency) },
              )
            : payments.length > 1
              ? t(
                  {
                    id: 'installation.invoices.payments',
                    defaultMessage: '{count, plural, one {# payment} other {# payments}}',
                  },
                  { count: payments.length },
                )
              : null}
        </span>
      </td>
      <td className={table.actions}>
        <div className={table.rowActions}>
          <Button variant="default" size="xs" onClick={onPay} {...off}>
            {t({ id: 'installation.invoices.record', defaultMessage: 'Record payment' })}
            <span className="p-hidden">: {number}</span>
          </Button>
        </div>
      </td>
    </>
  );
}
