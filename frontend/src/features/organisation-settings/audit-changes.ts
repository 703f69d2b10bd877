import type { AuditEntry } from '@parley/contracts';
import type { CsvRow } from '../../lib/csv.ts';

/** `role: member → guest`, for each field that is not as it was. */
export function changesOf({ before, after }: AuditEntry): string[] {
  const fields = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])];
  return fields.flatMap((field) => {
    const [was, is] = [shown(before?.[field]), shown(after?.[field])];
    if (was === is) return [];
    return [`${field}: ${before && after ? `${was} → ${is}` : before ? was : is}`];
  });
}

const shown = (value: unknown): string =>
  Array.isArray(value) ? value.join(', ') : typeof value === 'string' ? value : JSON.stringify(value ?? null);

/** An entry as a line of a file: names as they were, and codes, so that programs can read it. */
export const csvRowOf = ({ at, act, actor, target, before, after, reason, count }: AuditEntry): CsvRow => ({
  at,
  act,
  actor: actor.name,
  actor_id: actor.userId,
  target: target.name,
  target_id: target.id,
  before: before && JSON.stringify(before),
  after: after && JSON.stringify(after),
  reason,
  count,
});
