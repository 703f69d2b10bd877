import type { AuditChange, AuditEntry, AuditValue } from '@parley/contracts';
import type { CsvRow } from '../../../lib/csv.ts';

/** An entry as a line of a file: names as they were, and codes, so that programs can read it. */
export const csvRowOf = ({ at, act, actor, target, changes, reason, count }: AuditEntry): CsvRow => ({
  at,
  act,
  actor: actor.name,
  actor_id: actor.userId,
  target: target.name,
  target_id: target.id,
  before: stateOf(changes, 'before'),
  after: stateOf(changes, 'after'),
  reason,
  count,
});

/** The fields of one side, as JSON; null where there is none. */
function stateOf(changes: readonly AuditChange[], side: 'before' | 'after'): string | null {
  const state = changes.flatMap(({ field, [side]: value }) => (value === undefined ? [] : [[field, plain(value)]]));
  return state.length === 0 ? null : JSON.stringify(Object.fromEntries(state));
}

function plain(value: AuditValue | null): unknown {
  if (value === null) return null;
  const { kind, ...rest } = value;
  if (value.kind === 'refs') return value.refs.map(({ id, name }) => name ?? id);
  const parts = Object.values(rest);
  return parts.length === 0 ? kind : parts.length === 1 ? parts[0] : rest;
}
