import { dayAt, startOfDay, type BudgetPeriod } from '@parley/contracts';

const dayMs = 86_400_000;

export type Period = {
  /** Its first day in the time zone. */
  readonly start: string;
  readonly beganAt: Date;
  /** When the next one begins. */
  readonly resetsAt: Date;
};

/** The day, week or month of the time zone in which a moment lies. It begins and ends with the first moment of a day there. */
export function periodAt(period: BudgetPeriod, timeZone: string, now: Date): Period {
  const start = firstDay(period, dayAt(now, timeZone));
  const beginningOf = (day: string) => new Date(startOfDay(day, timeZone));
  return { start, beganAt: beginningOf(start), resetsAt: beginningOf(dayAfter(period, start)) };
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
