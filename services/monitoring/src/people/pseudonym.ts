import type { OrgId, UserId } from '@parley/protocol';
import { createHmac, randomBytes } from 'node:crypto';

const idLength = 24;
const shortest = 4;

export const newPseudonymKey = (): string => randomBytes(32).toString('base64');

/** Month of a day: `2026-11` of `2026-11-21`. */
export const monthOf = (day: string): string => day.slice(0, 7);

/**
 * Who somebody is in one month of an organisation (HMAC-SHA-256, RFC 2104): without the organisation's key nobody can
 * compute it from a person, find the person by it, or tell that two of different months are one person.
 */
export const pseudonymOf = (
  key: string,
  { orgId, userId, month }: { readonly orgId: OrgId; readonly userId: UserId; readonly month: string },
): string =>
  createHmac('sha256', Buffer.from(key, 'base64'))
    .update(`${orgId}/${userId}/${month}`)
    .digest('hex')
    .slice(0, idLength);

/** How each is shown, `P-7C19`; of those that begin alike so much more that no two are alike. */
export function labelsOf(ids: readonly string[]): Map<string, string> {
  const labels = new Map<string, string>();
  let left = [...new Set(ids)];
  for (let length = shortest; left.length > 0 && length <= idLength; length += 1) {
    const alike = Map.groupBy(left, (id) => id.slice(0, length));
    for (const [start, own] of alike) if (own.length === 1) labels.set(own[0]!, `P-${start.toUpperCase()}`);
    left = left.filter((id) => !labels.has(id));
  }
  return labels;
}

/** Whether a person who types this looks for that one: `p-7c`, `7C19`. */
export const isSoughtBy = (text: string, id: string): boolean =>
  id.startsWith(text.trim().toLowerCase().replace(/^p-?/, ''));
