const dayMs = 24 * 60 * 60_000;

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

/** The next day. */
export const dayAfter = (day: string): string => new Date(Date.parse(day) + dayMs).toISOString().slice(0, 10);
