import type { DayUsage } from '@parley/contracts';
import { useText } from '../../../lib/text.ts';
import { sumOf } from './usage-month.ts';
import classes from './usage.module.css';
import { UsageByDay } from './usage-by-day.tsx';

type Props = { days: readonly DayUsage[]; month: string; today: string; zone: string; currency: string | null };

/** What each day has cost, where anything has a price, and its tokens. */
export function UsageCharts({ days, month, today, zone, currency }: Props) {
  const { t } = useText();
  const hasCost = currency !== null && sumOf(days).costMicros > 0;
  const isThisMonth = today.startsWith(month);
  return (
    <div>
      <div className={classes.charts}>
        {hasCost ? <UsageByDay days={days} month={month} today={today} currency={currency} /> : null}
        <UsageByDay days={days} month={month} today={today} currency={null} />
      </div>
      <p className={`p-meta ${classes.zone}`}>
        {isThisMonth
          ? t(
              {
                id: 'settings.usage.hatched',
                defaultMessage: 'Hatched: today until now. A day begins in your time zone, {zone}.',
              },
              { zone },
            )
          : t({ id: 'settings.usage.days', defaultMessage: 'A day begins in your time zone, {zone}.' }, { zone })}
      </p>
    </div>
  );
}
