import type { BudgetPeriod } from '@parley/contracts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
/** No time zone is further from UTC. */
const furthestZoneMs = 15 * hourMs;

export type Period = {
  /** Its first day in the time zone. */
  readonly start: string;
  readonly beganAt: Date;
  /** When the next one begins. */
  readonly resetsAt: Date;
};

/** The day, week or month of the time zone in which a moment lies. It begins and ends with the first moment of a day there. */
export function periodAt(period: BudgetPeriod, timeZone: string, now: Date): Period {
  const dayOf = dayIn(timeZone);
  const start = firstDay(period, dayOf(now));
  return { start, beganAt: beginningOf(start, dayOf), resetsAt: beginningOf(dayAfter(period, start), dayOf) };
}

type DayOf = (moment: Date) => string;

const formats = new Map<string, Intl.DateTimeFormat>();

/** `2026-11-21`, the day of a moment in the time zone: days are compared as texts. */
export function dayIn(timeZone: string): DayOf {
  const format =
    formats.get(timeZone) ??
    new Intl.DateTimeFormat('en-CA', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' });
  formats.set(timeZone, format);
  return (moment) => format.format(moment);
}

const asUtc = (day: string): Date => new Date(`${day}T00:00:00Z`);
const dayOfUtc = (moment: number): string => new Date(moment).toISOString().slice(0, 10);

function firstDay(period: BudgetPeriod, day: string): string {
  if (period === 'day') return day;
  if (period === 'month') return `${day.slice(0, 7)}-01`;
  const sinceMonday = (asUtc(day).getUTCDay() + 6) % 7;
  return dayOfUtc(asUtc(day).getTime() - sinceMonday * dayMs);
}

function dayAfter(period: BudgetPeriod, start: string): string {
  const first = asUtc(start);
  if (period === 'month') return dayOfUtc(Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + 1));
  return dayOfUtc(first.getTime() + (period === 'week' ? 7 : 1) * dayMs);
}

/** The first moment of the day, which is not always midnight: looked for, since offsets change and days may be missing. */
function beginningOf(day: string, dayOf: DayOf): Date {
  let [before, after] = [asUtc(day).getTime() - furthestZoneMs, asUtc(day).getTime() + furthestZoneMs];
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2);
    if (dayOf(new Date(middle)) < day) before = middle;
    else after = middle;
  }
  return new Date(after);
}
