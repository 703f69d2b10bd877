import type { UserId } from '@parley/protocol';
import { useCallback, useMemo, useState } from 'react';
import { mostAtOnce } from './people-act.ts';
import type { ActiveRow } from './use-active-users.ts';

/** Which of the shown people are chosen; whoever is not shown any more is not. */
export function useSelection(rows: readonly ActiveRow[]) {
  const [ids, setIds] = useState<ReadonlySet<UserId>>(new Set());
  const people = useMemo(() => rows.filter(({ id }) => ids.has(id)), [rows, ids]);
  const toggle = useCallback(
    (id: UserId) =>
      setIds((now) => (now.has(id) ? new Set([...now].filter((one) => one !== id)) : new Set([...now, id]))),
    [],
  );
  const clear = useCallback(() => setIds(new Set()), []);
  const all = rows.slice(0, mostAtOnce);
  return {
    people,
    has: (id: UserId) => ids.has(id),
    toggle,
    clear,
    state: people.length === 0 ? 'none' : people.length >= all.length ? 'all' : 'some',
    /** As many as one call may change. */
    toggleAll: () => (people.length > 0 ? clear() : setIds(new Set(all.map(({ id }) => id)))),
  } as const;
}
export type Selection = ReturnType<typeof useSelection>;
