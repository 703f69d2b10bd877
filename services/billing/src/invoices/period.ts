import { dayAt } from '@parley/contracts';

const dayMs = 86_400_000;
export const daysLater = (day: string, days: number): string =>
  new Date(Date.parse(day) + days * dayMs).toISOString().slice(0, 10);

/** The same day so many months later, or the last one of that month where it has no such day. */
export function monthsLater(day: string, months: number): string {
  const [year = 0, month = 0, date = 0] = day.split('-').map(Number);
  const last = new Date(Date.UTC(year, month + months, 0)).getUTCDate();
  return new Date(Date.UTC(year, month - 1 + months, Math.min(date, last))).toISOString().slice(0, 10);
}

/** First and last day of so many months that begin now: whole days of the time zone, whatever its clocks do meanwhile. */
export function periodFrom(now: Date, { months, timeZone }: { months: number; timeZone: string }) {
  const from = dayAt(now, timeZone);
  return { from, until: daysLater(monthsLater(from, months), -1) };
}
