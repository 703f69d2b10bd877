import type { Conversation, ConversationId } from '@parley/contracts';
import { useCallback, useMemo, useState } from 'react';

/** The most chats that one call can change. */
export const mostAtOnce = 100;

type Rows = readonly Conversation[];
type Chosen = {
  readonly ids: ReadonlySet<ConversationId>;
  /** The chat that the person selected or deselected last, where a range begins. */
  readonly from: ConversationId | null;
};

const none: Rows = [];
const capped = (ids: Iterable<ConversationId>) => new Set([...ids].slice(0, mostAtOnce));

/** Adds the rows from the last touched one to this one. */
function extended({ ids, from }: Chosen, rows: Rows, to: ConversationId): Chosen {
  const at = rows.findIndex(({ id }) => id === to);
  const start = rows.findIndex(({ id }) => id === from);
  const range = rows.slice(Math.min(at, start < 0 ? at : start), Math.max(at, start) + 1);
  return { ids: capped([...ids, ...range.map(({ id }) => id)]), from: from ?? to };
}

function toggled({ ids }: Chosen, id: ConversationId): Chosen {
  return { ids: ids.has(id) ? new Set([...ids].filter((one) => one !== id)) : capped([...ids, id]), from: id };
}

/**
 * Returns the selected chats among the shown rows, up to as many as one call can change. Chats that disappear from the
 * list aren't selected any more.
 */
export function useSelection(rows: Rows) {
  const [chosen, setChosen] = useState<Chosen | null>(null);
  const chats = useMemo(() => (chosen ? rows.filter(({ id }) => chosen.ids.has(id)) : none), [rows, chosen]);
  const begin = useCallback((id?: ConversationId) => setChosen({ ids: new Set(id && [id]), from: id ?? null }), []);
  const end = useCallback(() => setChosen(null), []);
  const toggle = useCallback((id: ConversationId) => setChosen((now) => now && toggled(now, id)), []);
  const extend = useCallback((id: ConversationId) => setChosen((now) => now && extended(now, rows, id)), [rows]);
  const all = useCallback(
    () => setChosen({ ids: capped(rows.map(({ id }) => id)), from: rows[0]?.id ?? null }),
    [rows],
  );
  const keep = useCallback((left: Rows) => setChosen({ ids: capped(left.map(({ id }) => id)), from: null }), []);
  const has = (id: ConversationId) => chosen?.ids.has(id) ?? false;
  return { isOn: chosen !== null, chats, has, begin, end, toggle, extend, all, keep } as const;
}
export type Selection = ReturnType<typeof useSelection>;
