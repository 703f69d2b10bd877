import type { Answer } from '../../../lib/http.ts';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { api } from '../../../lib/http.ts';
import { newId } from '../../../lib/new-id.ts';
import { orderPath } from './order-path.ts';
import { usePaths } from '../../../lib/paths.ts';
import { resourceKey } from '../../../lib/query-keys.ts';
import { useTab } from '../../../lib/tab-organisation.tsx';
import { useText } from '../../../lib/text.ts';
import { useServerForm } from '../../../lib/use-server-form.ts';

type Offer = Answer<'GET /api/billing/seat-offer'>;
/** What the server takes at most. */
const most = { seats: 10_000, months: 36, lines: 6 };

const countOf = (text: string, highest: number): number | null =>
  /^\d{1,6}$/.test(text.trim()) && Number(text) >= 1 && Number(text) <= highest ? Number(text) : null;
const linesOf = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean);

/** The form of an order: its id is made once, so that it is placed once however often it is sent. */
export function usePlaceOrder(offer: Offer, price: NonNullable<Offer['price']>) {
  const client = useQueryClient();
  const navigate = useNavigate();
  const paths = usePaths();
  const { organisation } = useTab();
  const orgId = organisation.id;
  const [id] = useState(() => newId('order'));
  const { buyer } = offer;
  const { fields, ...rest } = useServerForm({
    initialValues: {
      seats: '',
      months: '12',
      name: buyer?.name ?? organisation.name,
      address: buyer?.address.join('\n') ?? '',
      taxNumber: buyer?.taxNumber ?? '',
      reference: '',
    },
    validate: useChecks(),
    send: ({ seats, months, name, address, taxNumber, reference }) =>
      api('POST /api/billing/orders', {
        orgId,
        body: {
          id,
          seats: Number(seats),
          months: Number(months),
          ...price,
          buyer: { name: name.trim(), address: linesOf(address), taxNumber: taxNumber.trim() || null },
          reference: reference.trim() || null,
        },
        retries: 2,
      }),
    onSent: async ({ order, continueAt }) => {
      void client.invalidateQueries({ queryKey: resourceKey('orders', orgId) });
      if (continueAt === null) await navigate(orderPath(paths, order.id));
      else location.assign(continueAt);
    },
    onRefused: () => void client.invalidateQueries({ queryKey: resourceKey('seat-offer', orgId) }),
  });
  const [seats, months] = [countOf(fields.values.seats, most.seats), countOf(fields.values.months, most.months)];
  return { fields, totalMinor: seats && months ? seats * months * price.seatMinor : null, ...rest };
}

function useChecks() {
  const { t } = useText();
  return {
    seats: (value: string) =>
      countOf(value, most.seats)
        ? null
        : t({ id: 'billing.order.seatsCheck', defaultMessage: 'Enter a whole number from 1 to 10,000.' }),
    months: (value: string) =>
      countOf(value, most.months)
        ? null
        : t({ id: 'billing.order.monthsCheck', defaultMessage: 'Enter a whole number from 1 to 36.' }),
    name: (value: string) =>
      value.trim() ? null : t({ id: 'billing.order.nameCheck', defaultMessage: 'Enter who gets the invoice.' }),
    address: (value: string) =>
      linesOf(value).length >= 1 && linesOf(value).length <= most.lines
        ? null
        : t({ id: 'billing.order.addressCheck', defaultMessage: 'Enter the address, in one to six lines.' }),
  };
}
