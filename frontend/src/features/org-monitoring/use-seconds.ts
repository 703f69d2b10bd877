import { useText } from '../../lib/text.ts';

/** A time to the first token: below a second hundredths count. */
export function useSeconds(): (ms: number) => string {
  const { t, intl } = useText();
  return (ms) =>
    t(
      { id: 'monitoring.seconds', defaultMessage: '{value} s' },
      { value: intl.formatNumber(ms / 1000, { maximumFractionDigits: ms < 1_000 ? 2 : ms < 10_000 ? 1 : 0 }) },
    );
}
