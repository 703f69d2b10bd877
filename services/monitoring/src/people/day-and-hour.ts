const formats = new Map<string, Intl.DateTimeFormat>();

/** The date and the hour, 0 to 23, that a clock of the time zone shows. */
export function dayAndHour(at: Date, timeZone: string): { readonly day: string; readonly hour: number } {
  const format =
    formats.get(timeZone) ??
    new Intl.DateTimeFormat('en-CA', {
      timeZone,
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
      hourCycle: 'h23',
    });
  formats.set(timeZone, format);
  const [day = '', hour] = format.format(at).split(', ');
  return { day, hour: Number(hour) };
}
