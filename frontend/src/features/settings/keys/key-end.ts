const dayMs = 24 * 3_600_000;

export const offeredDays = [7, 30, 90, 365] as const;
/** No key works for longer. */
export const longestMs = 365 * dayMs;

/** So many days, or with `date` as days the last day, as date fields write it. */
export type EndChoice = { days: string; date: string };

/** The day in the reader's own time zone, as date fields write it. */
export const dateOf = (time: number): string => {
  const day = new Date(time);
  const two = (value: number) => String(value).padStart(2, '0');
  return `${day.getFullYear()}-${two(day.getMonth() + 1)}-${two(day.getDate())}`;
};

/** When the key ends: after so many days, or with the chosen day; NaN for a day that is none, over, or too far away. */
export function endOfChoice({ days, date }: EndChoice, now: number): number {
  if (days !== 'date') return now + Number(days) * dayMs;
  const end = Date.parse(`${date}T23:59:59`);
  return end > now && end <= now + longestMs + dayMs ? end : Number.NaN;
}
