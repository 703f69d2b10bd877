import { startOfDay } from '@parley/contracts';
import { daysOf, monthFrom } from '../../../lib/days.ts';

const dayMs = 86_400_000;
/** Before so many days of a month are over, a forecast says little. */
const daysBeforeForecast = 3;

type DaySpend = { readonly day: string; readonly costMicros: number; readonly utcMicros: number };
export type MonthPoint = DaySpend & { readonly sumMicros: number };

/** Each day until the last one that has begun, with what was spent by its end. */
export function upToNow(days: readonly DaySpend[], month: string, today: string): MonthPoint[] {
  const spent = new Map(days.map((one) => [one.day, one]));
  let sumMicros = 0;
  return daysOf(month)
    .filter((day) => day <= today)
    .map((day) => {
      const { costMicros = 0, utcMicros = 0 } = spent.get(day) ?? {};
      sumMicros += costMicros;
      return { day, costMicros, utcMicros, sumMicros };
    });
}

/**
 * What the month costs if it goes on as it did: what was spent, by the part of the month that is over, for all of it.
 * Null in the first three days, and of another month than that of the time.
 */
export function forecastMicros(
  spentMicros: number,
  { month, timeZone, now }: { readonly month: string; readonly timeZone: string; readonly now: number },
): number | null {
  const [begin, end] = [month, monthFrom(month, 1)].map((one) => Date.parse(startOfDay(`${one}-01`, timeZone)));
  const [passedMs, wholeMs] = [now - begin!, end! - begin!];
  if (passedMs < daysBeforeForecast * dayMs || passedMs >= wholeMs) return null;
  return Math.round((spentMicros / passedMs) * wholeMs);
}

/** A round figure that is not below the highest one: the top of the chart. */
export function topOf(highestMicros: number): number {
  const least = Math.max(highestMicros, 1);
  const unit = 10 ** Math.floor(Math.log10(least));
  return ([1, 2, 3, 4, 5, 6, 8].find((factor) => factor * unit >= least) ?? 10) * unit;
}
