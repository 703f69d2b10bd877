import type { Invoice } from '@parley/contracts';
import { FileText } from 'lucide-react';
import { Link } from 'react-router-dom';
import { useFormats } from '../../../lib/formats.ts';
import { useText } from '../../../lib/text.ts';
import { useList } from '../../../lib/use-list.ts';
import { ListTable, Status } from '../../../ui/list-table.tsx';
import { ListView } from '../../../ui/list-view.tsx';
import { StateView } from '../../../ui/state-view.tsx';
import table from '../../../ui/table.module.css';
import classes from '../parts/billing.module.css';
import { useInvoicePath } from './invoice-path.ts';
import { useInvoiceState } from './invoice-state.ts';

/** Newest first, and what was paid beyond all of them. */
export function InvoiceList() {
  const { t } = useText();
  const { money } = useFormats();
  const list = useList('GET /api/billing/invoices');
  const title = t({ id: 'billing.invoices.title', defaultMessage: 'Invoices' });
  const columns = [
    { key: 'number', label: t({ id: 'billing.invoices.number', defaultMessage: 'Number' }) },
    { key: 'state', label: t({ id: 'billing.orders.state', defaultMessage: 'State' }) },
    { key: 'issued', label: t({ id: 'billing.invoices.issued', defaultMessage: 'Date' }) },
    { key: 'due', label: t({ id: 'billing.invoices.due', defaultMessage: 'Due' }) },
    { key: 'total', label: t({ id: 'billing.orders.total', defaultMessage: 'Total' }), isFigure: true },
    { key: 'paid', label: t({ id: 'billing.invoice.paid', defaultMessage: 'Paid' }), isFigure: true },
  ];
  const credit = (list.items ?? []).reduce((sum, one) => sum + Math.max(0, one.paidMinor - one.totalMinor), 0);
  const currency = list.items?.[0]?.currency;
  return (
    <section aria-label={title} className={classes.rows}>
      <h3 className={`p-h3 ${classes.partTitle}`}>{title}</h3>
      <ListView
        list={list}
        loading={t({ id: 'billing.invoices.loading', defaultMessage: 'The invoices are loading' })}
        failed={t({ id: 'billing.invoices.failed', defaultMessage: 'The invoices could not be loaded' })}
        empty={
          <StateView icon={FileText} title={t({ id: 'billing.invoices.empty', defaultMessage: 'No invoices yet' })}>
            {t({ id: 'billing.invoices.none', defaultMessage: 'None yet: an order that is confirmed has one.' })}
          </StateView>
        }
        foot={
          credit > 0 && currency
            ? t(
                { id: 'billing.invoices.credit', defaultMessage: 'Paid beyond these invoices: {amount} credit.' },
                { amount: money(credit, currency) },
              )
            : null
        }
      >
        {(items) => <ListTable columns={columns} items={items} cells={(invoice) => <Cells invoice={invoice} />} />}
      </ListView>
    </section>
  );
}

function Cells({ invoice }: { invoice: Invoice }) {
  const { t } = useText();
  const { money, day } = useFormats();
  const stateOf = useInvoiceState();
  const pathOf = useInvoicePath();
  const { id, number, issuedOn, dueOn, totalMinor, paidMinor, currency } = invoice;
  const { shape, words } = stateOf(invoice);
  return (
    <>
      <td>
        <Link className={`p-link ${classes.strong}`} to={pathOf(id)}>
          {number}
        </Link>
      </td>
      <td>
        <Status kind={shape}>{words}</Status>
      </td>
      <td className={table.quiet}>{day(issuedOn)}</td>
      <td className={table.quiet} data-label={t({ id: 'billing.invoices.due', defaultMessage: 'Due' })}>
        {day(dueOn)}
      </td>
      <td className={table.figure}>{money(totalMinor, currency)}</td>
      <td className={table.figure} data-label={t({ id: 'billing.invoice.paid', defaultMessage: 'Paid' })}>
        {money(paidMinor, currency)}
      </td>
    </>
  );
}
