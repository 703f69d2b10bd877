import { useQueryClient } from '@tanstack/react-query';
import { digitsOf, minorOf } from '../../../lib/formats.ts';
import { api, type Answer } from '../../../lib/http.ts';
import { resourceKey } from '../../../lib/query-keys.ts';
import { useText } from '../../../lib/text.ts';
import { useServerForm } from '../../../lib/use-server-form.ts';

/** What the server takes at most. */
const most = { minor: 100_000_000, dueDays: 90, lines: 6 };
const linesOf = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean);
const isCurrency = (text: string): boolean => /^[A-Z]{3}$/.test(text);
const priceOf = (minor: number, currency: string): string =>
  (minor / 10 ** digitsOf(currency)).toFixed(digitsOf(currency));

/** The form of what seats cost and who sells them. */
export function useSalesTerms({ terms, currency }: Answer<'GET /api/billing/sales-terms'>, onSaved: () => void) {
  const client = useQueryClient();
  const shown = currency ?? terms?.currency ?? 'EUR';
  const { fields, ...rest } = useServerForm({
    initialValues: {
      currency: shown,
      price: terms?.seatMinor ? priceOf(terms.seatMinor, shown) : '',
      dueDays: String(terms?.dueDays ?? 30),
      name: terms?.seller.name ?? '',
      address: terms?.seller.address.join('\n') ?? '',
      taxNumber: terms?.seller.taxNumber ?? '',
      payment: terms?.seller.payment.join('\n') ?? '',
    },
    validate: useChecks(),
    send: ({ price, dueDays, name, address, taxNumber, payment, ...values }) =>
      api('PUT /api/billing/sales-terms', {
        body: {
          version: terms?.version ?? 0,
          currency: values.currency,
          seatMinor: price.trim() === '' ? null : minorOf(price, values.currency),
          dueDays: Number(dueDays),
          seller: {
            name: name.trim(),
            address: linesOf(address),
            taxNumber: taxNumber.trim() || null,
            payment: linesOf(payment),
          },
        },
      }),
    onSent: async () => {
      onSaved();
      await client.invalidateQueries({ queryKey: resourceKey('sales-terms', null) });
    },
  });
  return { fields, ...rest };
}

function useChecks() {
  const { t } = useText();
  const lines = (value: string) =>
    linesOf(value).length >= 1 && linesOf(value).length <= most.lines
      ? null
      : t({ id: 'installation.terms.linesCheck', defaultMessage: 'Enter one to six lines.' });
  return {
    currency: (value: string) =>
      isCurrency(value)
        ? null
        : t({ id: 'installation.prices.currencyCheck', defaultMessage: 'Enter three capitals, such as EUR.' }),
    price: (value: string, values: { currency: string }) => {
      if (value.trim() === '' || !isCurrency(values.currency)) return null;
      const minor = minorOf(value, values.currency);
      return minor !== null && minor <= most.minor
        ? null
        : t({ id: 'installation.terms.priceCheck', defaultMessage: 'Enter an amount such as 8.20, or nothing.' });
    },
    dueDays: (value: string) =>
      /^\d{1,2}$/.test(value.trim()) && Number(value) <= most.dueDays
        ? null
        : t({ id: 'installation.terms.dueDaysCheck', defaultMessage: 'Enter a whole number up to 90.' }),
    name: (value: string) =>
      value.trim() ? null : t({ id: 'installation.terms.nameCheck', defaultMessage: 'Enter who sells.' }),
    address: lines,
    payment: lines,
  };
}
