import type { Buyer, Invoice } from '@parley/contracts';
import { useFormats } from '../../../lib/formats.ts';
import { useText } from '../../../lib/text.ts';
import classes from '../parts/billing.module.css';

/** As it was written: names and addresses are those of that day. */
export function InvoiceSheet({ invoice }: { invoice: Invoice }) {
  const { t } = useText();
  const { day } = useFormats();
  const { number, issuedOn, dueOn, seller, buyer, reference } = invoice;
  const facts = [
    { label: t({ id: 'billing.invoices.number', defaultMessage: 'Number' }), value: number },
    { label: t({ id: 'billing.invoices.issued', defaultMessage: 'Date' }), value: day(issuedOn) },
    { label: t({ id: 'billing.invoices.due', defaultMessage: 'Due' }), value: day(dueOn) },
    ...(reference
      ? [{ label: t({ id: 'billing.invoice.reference', defaultMessage: 'Your reference' }), value: reference }]
      : []),
  ];
  return (
    <article className={classes.invoice}>
      <header className={classes.invoiceHead}>
        <Party party={seller} />
        <h2 className="p-h1">{t({ id: 'billing.invoice.title', defaultMessage: 'Invoice' })}</h2>
      </header>
      <div className={classes.invoiceHead}>
        <Party party={buyer} />
        <dl className={`p-facts p-sm p-figures ${classes.facts}`}>
          {facts.map(({ label, value }) => (
            <div key={label}>
              <dt>{label}</dt>
              <dd>
                <bdi>{value}</bdi>
              </dd>
            </div>
          ))}
        </dl>
      </div>
      <Lines invoice={invoice} />
      <section>
        <h3 className="p-h3">{t({ id: 'billing.invoice.howToPay', defaultMessage: 'How to pay' })}</h3>
        {seller.payment.map((line) => (
          <bdi key={line} className={`p-sm ${classes.addressLine}`}>
            {line}
          </bdi>
        ))}
      </section>
      <Payments invoice={invoice} />
    </article>
  );
}

function Party({ party: { name, address, taxNumber } }: { party: Buyer }) {
  const { t } = useText();
  return (
    <address className={`p-sm ${classes.party}`}>
      <bdi className={classes.partyName}>{name}</bdi>
      {address.map((line) => (
        <bdi key={line} className={`p-sm ${classes.addressLine}`}>
          {line}
        </bdi>
      ))}
      {taxNumber ? (
        <span className={`p-sm ${classes.addressLine}`}>
          {t({ id: 'billing.invoice.taxNumber', defaultMessage: 'Tax number' })} <bdi>{taxNumber}</bdi>
        </span>
      ) : null}
    </address>
  );
}

function Lines({ invoice: { lines, totalMinor, currency } }: { invoice: Invoice }) {
  const { t } = useText();
  const { money, number, day } = useFormats();
  return (
    <table className={`p-sm p-figures ${classes.lines}`}>
      <thead>
        <tr>
          <th>{t({ id: 'billing.invoice.what', defaultMessage: 'What' })}</th>
          <th>{t({ id: 'billing.invoice.seats', defaultMessage: 'Seats' })}</th>
          <th>{t({ id: 'billing.invoice.months', defaultMessage: 'Months' })}</th>
          <th>{t({ id: 'billing.invoice.price', defaultMessage: 'A seat for a month' })}</th>
          <th>{t({ id: 'billing.invoice.amount', defaultMessage: 'Amount' })}</th>
        </tr>
      </thead>
      <tbody>
        {lines.map(({ seats, months, seatMinor, from, until, amountMinor }) => (
          <tr key={from}>
            <td>
              {t(
                { id: 'billing.invoice.line', defaultMessage: 'Seats from {from} until {until}' },
                { from: day(from), until: day(until) },
              )}
            </td>
            <td>{number(seats)}</td>
            <td>{number(months)}</td>
            <td>{money(seatMinor, currency)}</td>
            <td>{money(amountMinor, currency)}</td>
          </tr>
        ))}
      </tbody>
      <tfoot>
        <tr>
          <th colSpan={4}>{t({ id: 'billing.orders.total', defaultMessage: 'Total' })}</th>
          <td>{money(totalMinor, currency)}</td>
        </tr>
      </tfoot>
    </table>
  );
}

function Payments({ invoice: { payments, paidMinor, totalMinor, currency } }: { invoice: Invoice }) {
  const { t } = useText();
  const { money, day } = useFormats();
  if (payments.length === 0) return null;
  const open = totalMinor - paidMinor;
  return (
    <section>
      <h3 className="p-h3">{t({ id: 'billing.invoice.payments', defaultMessage: 'Payments' })}</h3>
      <dl className={`p-facts p-sm p-figures ${classes.facts}`}>
        {payments.map(({ id, receivedOn, amountMinor, reference }) => (
          <div key={id}>
            <dt>
              {day(receivedOn)} <bdi>{reference}</bdi>
            </dt>
            <dd>{money(amountMinor, currency)}</dd>
          </div>
        ))}
        <div>
          <dt>
            {open < 0
              ? t({ id: 'billing.invoice.creditLine', defaultMessage: 'Credit' })
              : t({ id: 'billing.invoice.open', defaultMessage: 'Open' })}
          </dt>
          <dd>
            <b>{money(Math.abs(open), currency)}</b>
          </dd>
        </div>
      </dl>
    </section>
  );
}
