const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;
/** No time zone is further from UTC. */
const furthestZoneMinutes = 15 * 60;

/** The day at that time in the zone, as `2026-11-21`. */
export const dayAt = (time: number, timeZone: string): string =>
  new Intl.DateTimeFormat('en-CA', { timeZone, dateStyle: 'short' }).format(time);

export const isMonth = (text: string | null): text is string =>
  text !== null && /^20\d\d-(?:0[1-9]|1[0-2])$/.test(text);

/** So many months later, or earlier. */
export function monthFrom(month: string, by: number): string {
  const [year = 0, number = 0] = month.split('-').map(Number);
  return new Date(Date.UTC(year, number - 1 + by)).toISOString().slice(0, 7);
}

/** Every day of the month. */
export function daysOf(month: string): string[] {
  const last = new Date(Date.parse(`${monthFrom(month, 1)}-01`) - 1).getUTCDate();
  return Array.from({ length: last }, (_, index) => `${month}-${String(index + 1).padStart(2, '0')}`);
}

/**
 * When a day begins in the zone, as a time in UTC: where clocks skip midnight, with the first minute that there is.
 */
export function startOfDay(day: string, timeZone: string): string {
  let [before, after] = [
    Date.parse(day) / minuteMs - furthestZoneMinutes,
    Date.parse(day) / minuteMs + furthestZoneMinutes,
  ];
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2);
    if (dayAt(middle * minuteMs, timeZone) >= day) after = middle;
    else before = middle;
  }
  return new Date(after * minuteMs).toISOString();
}

/** The next day. */
export const dayAfter = (day: string): string => new Date(Date.parse(day) + dayMs).toISOString().slice(0, 10);
