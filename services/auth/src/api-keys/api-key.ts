import { keyStart, longestKeyDays, type ApiKey } from '@parley/contracts';
import { Problem } from '@parley/protocol';
import type { ApiKeyRow } from './api-key.collection.ts';

const dayMs = 24 * 3_600_000;
/** Writing the last use each time would cost a write per request. */
const touchEveryMs = 60_000;
/** So much of the secret is shown in lists. */
const shownSigns = keyStart.length + 4;

export const isAlive = ({ endsAt }: Pick<ApiKeyRow, 'endsAt'>, now: Date): boolean => endsAt > now;

export const prefixOf = (secret: string): string => secret.slice(0, shownSigns);

/** `platform.invalid-request` unless it lies in the future, and not further than a key may work. */
export function checkEnd(endsAt: Date, now: Date): void {
  const aheadMs = endsAt.getTime() - now.getTime();
  if (aheadMs > 0 && aheadMs <= longestKeyDays * dayMs) return;
  throw new Problem('platform.invalid-request', {
    errors: [{ path: 'body.endsAt', message: `in the future, and ${longestKeyDays} days away at most` }],
  });
}

/** Whether the stored last use is too old to stay. */
export const isUseNews = ({ lastUsedAt }: Pick<ApiKeyRow, 'lastUsedAt'>, now: Date): boolean =>
  lastUsedAt === null || now.getTime() - lastUsedAt.getTime() >= touchEveryMs;

export function toApiKey(row: ApiKeyRow, now: Date): ApiKey {
  return {
    id: row._id,
    owner: { userId: row.userId, name: row.ownerName },
    name: row.name,
    prefix: row.prefix,
    permissions: row.permissions,
    createdAt: row.createdAt.toISOString(),
    endsAt: row.endsAt.toISOString(),
    lastUsedAt: row.lastUsedAt?.toISOString() ?? null,
    lastUsedFrom: row.lastUsedFrom,
    ended: isAlive(row, now) ? null : endOf(row),
  };
}

function endOf({ revoked }: ApiKeyRow): NonNullable<ApiKey['ended']> {
  if (!revoked) return { how: 'expired', by: null, reason: null };
  const { by, byName, reason } = revoked;
  if (by === null) return { how: 'left', by: null, reason: null };
  return { how: 'revoked', by: { userId: by, name: byName ?? '' }, reason };
}
