/** How long a session lives: unused for 12 h, in all 30 days. */
export const idleMs = 12 * 3_600_000;
export const absoluteMs = 30 * 24 * 3_600_000;
/** Writing the last use each time would cost a write per request. */
const touchEveryMs = 5 * 60_000;

export type SessionTimes = { readonly idleUntil: Date; readonly absoluteUntil: Date };

export function startTimes(now: Date): SessionTimes {
  return { idleUntil: new Date(now.getTime() + idleMs), absoluteUntil: new Date(now.getTime() + absoluteMs) };
}

export const isAlive = (session: SessionTimes, now: Date): boolean =>
  session.idleUntil > now && session.absoluteUntil > now;

/** The new idle end, or null while the stored one is recent enough. */
export function touch(session: SessionTimes, now: Date): Date | null {
  const idleUntil = new Date(now.getTime() + idleMs);
  return idleUntil.getTime() - session.idleUntil.getTime() > touchEveryMs ? idleUntil : null;
}
