/** A mail without a link is given up after so long. */
export const keepTryingMs = 24 * 3_600_000;

const backoffsMs = [10_000, 30_000, 60_000, 120_000];
const longestBackoffMs = 300_000;

/** Returns when a mail is sent again whose last attempt failed. */
export const nextAttempt = (attempts: number, now: Date): Date =>
  new Date(now.getTime() + (backoffsMs[attempts - 1] ?? longestBackoffMs));

/** Until when it makes sense to try: a day, or as long as its link works. */
export function giveUpAt(now: Date, linkEndsAt: Date | null): Date {
  const day = now.getTime() + keepTryingMs;
  return new Date(linkEndsAt ? Math.min(day, linkEndsAt.getTime()) : day);
}
