import type { Order, orderChanged, PersonPrincipal, placeOrder, SalesTerms } from '@parley/contracts';
import { Problem, type BodyOf, type DataOf } from '@parley/protocol';
import type { OrderRow } from './order.collection.ts';

type Organisation = { readonly name: string; readonly timeZone: string; readonly seatLimit: number | null };
type Situation = {
  readonly by: PersonPrincipal;
  readonly organisation: Organisation;
  readonly terms: Pick<SalesTerms, 'currency' | 'seatMinor'> | null;
  readonly orgId: OrderRow['orgId'];
  readonly now: Date;
};

/** At the price that was seen, which has to be the present one. */
export function newOrder(
  wanted: BodyOf<typeof placeOrder>,
  { by, organisation, terms, orgId, now }: Situation,
): OrderRow {
  const { id, seats, months, seatMinor, currency, buyer, reference } = wanted;
  if (!terms || terms.seatMinor === null) throw new Problem('billing.seats-not-sold');
  if (organisation.seatLimit === null) throw new Problem('billing.no-seat-limit');
  if (terms.seatMinor !== seatMinor || terms.currency !== currency)
    throw new Problem('billing.price-changed', { current: { seatMinor: terms.seatMinor, currency: terms.currency } });
  return {
    _id: id,
    orgId,
    organisation: organisation.name,
    timeZone: organisation.timeZone,
    seats,
    months,
    seatMinor,
    totalMinor: seats * months * seatMinor,
    currency,
    buyer,
    reference,
    state: 'placed',
    placedBy: personOf(by),
    placedAt: now,
    decidedBy: null,
    decidedAt: null,
    refusal: null,
    raised: null,
    invoice: null,
    version: 1,
  };
}

/** That somebody has done this with an order. */
export const orderTold = (
  order: OrderRow,
  change: 'placed' | 'confirmed' | 'refused' | 'withdrawn',
  { by, reason = null }: { readonly by: PersonPrincipal; readonly reason?: string | null },
): DataOf<typeof orderChanged> => {
  const { orgId, _id: orderId, seats, months, totalMinor, currency } = order;
  return { orgId, orderId, change, act: { by: by.userId, seats, months, totalMinor, currency, reason } };
};

export const personOf = ({ userId, name }: PersonPrincipal) => ({ userId, name });

export function toOrder({ _id: id, timeZone: _timeZone, placedAt, decidedAt, raised, ...order }: OrderRow): Order {
  return {
    id,
    ...order,
    placedAt: placedAt.toISOString(),
    decidedAt: decidedAt?.toISOString() ?? null,
    raised: raised && { ...raised, at: raised.at.toISOString() },
  };
}
