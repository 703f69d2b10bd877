import { useMemo } from 'react';
import { useText } from '../../lib/text.ts';

/** Amounts of micro-units with as many digits each, so that those of a column can be compared. */
export function useMoney() {
  const { t, intl } = useText();
  return useMemo(() => {
    /** What is above zero and less than the last of its digits is said to be. */
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
      /** Sums, to the hundredth of the currency. */
      sum: fixed(2),
      /** What one answer has cost. */
      charged: fixed(4),
    };
  }, [t, intl]);
}
