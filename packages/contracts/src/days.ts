const minuteMs = 60_000;
/** No time zone is further from UTC. */
const furthestZoneMinutes = 15 * 60;

/** Returns the day at that time in the zone, as `2026-11-21`. */
export const dayAt = (time: number, timeZone: string): string =>
  new Intl.DateTimeFormat('en-CA', { timeZone, dateStyle: 'short' }).format(time);

/**
 * Returns when a day begins in the zone, as a time in UTC: where clocks skip midnight, with the first minute that there is.
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
