const minuteMs = 60_000;
/** An upper bound in minutes: no time zone is further from UTC. */
const furthestZoneMinutes = 15 * 60;

const formats = new Map<string, Intl.DateTimeFormat>();

/** Returns the day at that time in the zone, as `2026-11-21`. */
export function dayAt(time: Date | number, timeZone: string): string {
  const format = formats.get(timeZone) ?? new Intl.DateTimeFormat('en-CA', { timeZone, dateStyle: 'short' });
  formats.set(timeZone, format);
  return format.format(time);
}

/**
 * Returns the time in UTC when a day begins in the zone. If clocks skip midnight, the day begins with the first minute
 * after it.
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
