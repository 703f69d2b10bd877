import { useMemo } from 'react';
import { useText } from '../../../lib/text.ts';

/** Returns writers of amounts in micro-units. Each uses a fixed number of digits, so that columns can be compared. */
export function useMoney() {
  const { t, intl } = useText();
  return useMemo(() => {
    /** Writes a fixed number of digits, and “under” the smallest amount for less than it. */
    const fixed = (digits: number) => (micros: number, currency: string) => {
      const format = (value: number) =>
        intl.formatNumber(value, {
          style: 'currency',
          currency,
          minimumFractionDigits: digits,
          maximumFractionDigits: digits,
        });
      const least = 10 ** -digits;
      return micros > 0 && micros / 1e6 < least
        ? t({ id: 'billing.money.under', defaultMessage: 'under {amount}' }, { amount: format(least) })
        : format(micros / 1e6);
    };
    return {
      /** Writes sums, to the hundredth of the currency. */
      sum: fixed(2),
      /** Writes the cost of one answer. */
      charged: fixed(4),
    };
  }, [t, intl]);
}
