import { useEffect, useState } from 'react';

const shownMs = 1_000;
type Row = { readonly id: string };

/** Which rows came while one looks, for a second: newer than all that were there. What is loaded below is not new. */
export function useNewIds(items: readonly Row[] | undefined, filters: string): ReadonlySet<string> {
  const [known, setKnown] = useState<{ filters: string; ids: ReadonlySet<string> } | null>(null);
  const [fresh, setFresh] = useState<ReadonlySet<string>>(new Set());
  if (items && (known?.filters !== filters || items.some(({ id }) => !known.ids.has(id)))) {
    const first = known?.filters === filters ? items.findIndex(({ id }) => known.ids.has(id)) : 0;
    const before = known?.filters === filters && first < 0 && known.ids.size === 0 ? items.length : Math.max(0, first);
    setKnown({ filters, ids: new Set(items.map(({ id }) => id)) });
    if (before > 0) setFresh(new Set(items.slice(0, before).map(({ id }) => id)));
  }
  useEffect(() => {
    if (fresh.size === 0) return undefined;
    const timer = setTimeout(() => setFresh(new Set()), shownMs);
    return () => clearTimeout(timer);
  }, [fresh]);
  return fresh;
}
