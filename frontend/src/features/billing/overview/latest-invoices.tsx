import { Link } from 'react-router-dom';
import { useFormats } from '../../../lib/formats.ts';
import { useText } from '../../../lib/text.ts';
import { useList } from '../../../lib/use-list.ts';
import { StatusShape } from '../../../ui/status-shape.tsx';
import classes from '../parts/billing.module.css';
import { useInvoiceState } from '../orders/invoice-state.ts';
import { useInvoicePath } from '../orders/invoice-path.ts';

const shown = 5;

/** The newest invoices; all of them stand in their tab. */
export function LatestInvoices() {
  const { t } = useText();
  const { money, day } = useFormats();
  const stateOf = useInvoiceState();
  const pathOf = useInvoicePath();
  const items = useList('GET /api/billing/invoices').items ?? [];
  const title = t({ id: 'billing.invoices.title', defaultMessage: 'Invoices' });
  return (
    <section className={classes.sidePart} aria-label={title}>
      <header className={classes.sideHead}>
        <h3 className="p-h3">{title}</h3>
        {items.length > 0 ? (
          <Link className="p-link p-sm" to={pathOf(null)}>
            {t({ id: 'billing.invoices.all', defaultMessage: 'All' })}
          </Link>
        ) : null}
      </header>
      {items.length === 0 ? (
        <p className="p-sm p-quiet">
          {t({ id: 'billing.invoices.none', defaultMessage: 'None yet: an order that is confirmed has one.' })}
        </p>
      ) : null}
      <ul className={`p-list ${classes.invoices}`}>
        {items.slice(0, shown).map((invoice) => {
          const { shape, words } = stateOf(invoice);
          return (
            <li key={invoice.id} className={classes.invoiceLine}>
              <Link className="p-link" to={pathOf(invoice.id)}>
                {invoice.number}
              </Link>
              <span className="p-figures">{money(invoice.totalMinor, invoice.currency)}</span>
              <span className="p-meta">{day(invoice.issuedOn)}</span>
              <span className={classes.stateOf}>
                <StatusShape kind={shape} />
                {words}
              </span>
            </li>
          );
        })}
      </ul>
    </section>
  );
}
