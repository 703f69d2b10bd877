import { browserHeader, networkHeader, sessionHeader } from '@parley/protocol';

/** How long a session lives: unused for 12 h, in all 30 days. */
export const idleMs = 12 * 3_600_000;
export const absoluteMs = 30 * 24 * 3_600_000;
/** How long one can read of a session that has ended. */
export const keptMs = 30 * 24 * 3_600_000;
/** Writing the last use each time would cost a write per request. */
const touchEveryMs = 60_000;

export type SessionTimes = { readonly idleUntil: Date; readonly absoluteUntil: Date };

export function startTimes(now: Date): SessionTimes {
  return { idleUntil: new Date(now.getTime() + idleMs), absoluteUntil: new Date(now.getTime() + absoluteMs) };
}

export const isAlive = (session: SessionTimes, now: Date): boolean =>
  session.idleUntil > now && session.absoluteUntil > now;

/** What the last touch says; within a minute. */
export const lastUsedAt = ({ idleUntil }: Pick<SessionTimes, 'idleUntil'>): Date =>
  new Date(idleUntil.getTime() - idleMs);

/** When a session that nobody has ended came to its end. */
export const expiredAt = ({ idleUntil, absoluteUntil }: SessionTimes): Date =>
  idleUntil < absoluteUntil ? idleUntil : absoluteUntil;

/** From which browser somebody signs in, as far as the BFF tells; `earlierId`: the session that it had before. */
export type Browser = {
  readonly earlierId?: string | undefined;
  readonly network?: string | undefined;
  readonly userAgent?: string | undefined;
};

export const browserOf = (request: { header(name: string): string | undefined }): Browser => ({
  earlierId: request.header(sessionHeader),
  network: request.header(networkHeader),
  userAgent: request.header(browserHeader),
});

/** What is kept of a browser; rows of the first version know nothing of it. */
export const fromOf = ({
  network,
  userAgent,
}: { readonly [Name in 'network' | 'userAgent']?: string | null | undefined }) => ({
  network: network ?? null,
  userAgent: userAgent ?? null,
});

/** The new idle end, or null while the stored one is recent enough. */
export function touch(session: SessionTimes, now: Date): Date | null {
  const idleUntil = new Date(now.getTime() + idleMs);
  return idleUntil.getTime() - session.idleUntil.getTime() > touchEveryMs ? idleUntil : null;
}
