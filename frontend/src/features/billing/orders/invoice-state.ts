import type { Invoice } from '@parley/contracts';
import { useFormats } from '../../../lib/formats.ts';
import { useText } from '../../../lib/text.ts';
import type { StatusKind } from '../../../ui/status-shape.tsx';

export type InvoiceStateKind = 'credit' | 'paid' | 'overdue' | 'part' | 'open';

/** Overdue is from the day after the last day of payment. */
export function invoiceStateOf({ paidMinor, totalMinor, dueOn }: Invoice, today: string): InvoiceStateKind {
  if (paidMinor > totalMinor) return 'credit';
  if (paidMinor === totalMinor) return 'paid';
  if (today > dueOn) return 'overdue';
  return paidMinor > 0 ? 'part' : 'open';
}

const shapes: Record<InvoiceStateKind, StatusKind> = {
  credit: 'ok',
  paid: 'ok',
  overdue: 'bad',
  part: 'running',
  open: 'waiting',
};

/** The state of an invoice in words, with its shape. */
export function useInvoiceState(): (invoice: Invoice) => { readonly shape: StatusKind; readonly words: string } {
  const { t } = useText();
  const { money } = useFormats();
  return (invoice) => {
    const { totalMinor, paidMinor, currency } = invoice;
    const kind = invoiceStateOf(invoice, new Date().toISOString().slice(0, 10));
    const words = {
      credit: t(
        { id: 'billing.invoice.credit', defaultMessage: 'Paid, {amount} credit' },
        { amount: money(paidMinor - totalMinor, currency) },
      ),
      paid: t({ id: 'billing.invoice.paid', defaultMessage: 'Paid' }),
      overdue: t({ id: 'billing.invoice.overdue', defaultMessage: 'Overdue' }),
      part: t(
        { id: 'billing.invoice.part', defaultMessage: '{amount} open' },
        { amount: money(totalMinor - paidMinor, currency) },
      ),
      open: t({ id: 'billing.invoice.open', defaultMessage: 'Open' }),
    };
    return { shape: shapes[kind], words: words[kind] };
  };
}
