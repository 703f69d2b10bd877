import { dayAt } from '@parley/contracts';
import { useMemo } from 'react';
import { useFormats } from '../../lib/formats.ts';
import { useText } from '../../lib/text.ts';

type Used = { readonly attempts: number; readonly unpricedAttempts: number; readonly costMicros: number };
type Tokens = { readonly inputTokens: number; readonly outputTokens: number };

export const tokensOf = ({ inputTokens, outputTokens }: Tokens): number => inputTokens + outputTokens;

/** How figures of use are written. What has no price at all is unpriced, not free. */
export function useAmounts(currency: string | null) {
  const { t, intl } = useText();
  const { cost, number, day } = useFormats();
  return useMemo(() => {
    const unpriced = t({ id: 'people.cost.unpriced', defaultMessage: 'no price' });
    return {
      number,
      cost: ({ attempts, unpricedAttempts, costMicros }: Used) =>
        !currency || (attempts > 0 && attempts === unpricedAttempts) ? unpriced : cost(costMicros, currency),
      tokens: (used: Tokens) => intl.formatNumber(tokensOf(used), { notation: 'compact', maximumSignificantDigits: 3 }),
      percent: (part: number) => intl.formatNumber(part, { style: 'percent' }),
      month: (month: string) => intl.formatDate(`${month}-15`, { month: 'long', timeZone: 'UTC' }),
      /** Today, yesterday, then the date. */
      lastDay: (last: string, timeZone: string) => {
        const past = Math.round((Date.parse(dayAt(Date.now(), timeZone)) - Date.parse(last)) / 86_400_000);
        return past < 2 ? intl.formatRelativeTime(-Math.max(0, past), 'day', { numeric: 'auto' }) : day(last);
      },
    };
  }, [t, intl, cost, number, day, currency]);
}
