import { useQuery } from '@tanstack/react-query';
import { useFormats } from '../../../lib/formats.ts';
import { api } from '../../../lib/http.ts';
import { resourceKey } from '../../../lib/query-keys.ts';
import { useTab } from '../../../lib/tab-organisation.tsx';
import { useText } from '../../../lib/text.ts';
import { useList } from '../../../lib/use-list.ts';
import classes from './billing.module.css';

/** The price is the installation's: nobody's room hears of it. */
const refetchMs = 5_000;

export function useSeatOffer(enabled = true) {
  const orgId = useTab().organisation.id;
  return useQuery({
    enabled,
    queryKey: resourceKey('seat-offer', orgId),
    queryFn: ({ signal }) => api('GET /api/billing/seat-offer', { orgId, signal }),
    refetchInterval: refetchMs,
  });
}

/** How many seats there are and until when they are paid for, and what another one costs. */
export function SeatFacts() {
  const { t } = useText();
  const { number, money, day } = useFormats();
  const { data } = useSeatOffer();
  const invoices = useList('GET /api/billing/invoices').items ?? [];
  const until = invoices
    .flatMap(({ lines }) => lines.map((line) => line.until))
    .toSorted()
    .at(-1);
  if (!data) return null;
  const { seats, price, seller } = data;
  const facts = [
    {
      label: t({ id: 'billing.seats.used', defaultMessage: 'Seats' }),
      value:
        seats.limit === null
          ? t({ id: 'billing.seats.noLimit', defaultMessage: '{used}, no limit' }, { used: number(seats.used) })
          : t(
              { id: 'billing.seats.of', defaultMessage: '{used} of {limit}' },
              { used: number(seats.used), limit: number(seats.limit) },
            ),
    },
    ...(until ? [{ label: t({ id: 'billing.seats.until', defaultMessage: 'Ordered until' }), value: day(until) }] : []),
    {
      label: t({ id: 'billing.seats.price', defaultMessage: 'A seat for a month' }),
      value: price
        ? money(price.seatMinor, price.currency)
        : t({ id: 'billing.seats.notSold', defaultMessage: 'not sold here' }),
    },
    ...(seller ? [{ label: t({ id: 'billing.seats.seller', defaultMessage: 'Sold by' }), value: seller }] : []),
  ];
  const title = t({ id: 'billing.seats.title', defaultMessage: 'Seats' });
  return (
    <section className={classes.sidePart} aria-label={title}>
      <h3 className="p-h3">{title}</h3>
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
    </section>
  );
}
