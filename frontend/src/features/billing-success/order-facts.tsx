import type { Order } from '@parley/contracts';
import { useFormats } from '../../lib/formats.ts';
import { useText } from '../../lib/text.ts';
import classes from './billing-success.module.css';

/** What was ordered, and what came of it. */
export function OrderFacts({ order }: { order: Order }) {
  const { t } = useText();
  const { number, money, day } = useFormats();
  const { seats, months, totalMinor, currency, raised, invoice, placedBy } = order;
  const facts = [
    {
      label: t({ id: 'billing.success.ordered', defaultMessage: 'Ordered' }),
      value: t(
        {
          id: 'billing.orders.seats',
          defaultMessage:
            '{seats, plural, one {# seat} other {# seats}} for {months, plural, one {# month} other {# months}}',
        },
        { seats, months },
      ),
    },
    ...(raised?.before != null && raised.after !== null
      ? [
          {
            label: t({ id: 'billing.success.limit', defaultMessage: 'Seats' }),
            value: `${number(raised.before)} → ${number(raised.after)}`,
            isFormula: true,
          },
        ]
      : []),
    { label: t({ id: 'billing.success.total', defaultMessage: 'Total' }), value: money(totalMinor, currency) },
    { label: t({ id: 'billing.success.by', defaultMessage: 'Ordered by' }), value: placedBy.name },
    ...(invoice
      ? [
          {
            label: t(
              { id: 'billing.success.numbered', defaultMessage: 'Invoice {number}' },
              { number: `\u2068${invoice.number}\u2069` },
            ),
            value: t({ id: 'billing.success.due', defaultMessage: 'due {day}' }, { day: day(invoice.dueOn) }),
          },
        ]
      : []),
  ];
  return (
    <dl className={`p-facts p-sm p-figures ${classes.facts}`}>
      {facts.map(({ label, value, ...more }) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>
            <bdi dir={'isFormula' in more ? 'ltr' : undefined}>{value}</bdi>
          </dd>
        </div>
      ))}
    </dl>
  );
}
