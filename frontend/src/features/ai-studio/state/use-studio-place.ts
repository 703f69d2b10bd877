import type { ChatbotId } from '@parley/contracts';
import { useCallback } from 'react';
import { useSearchParams } from 'react-router-dom';

/** What stands beside the draft; `edit` is nothing: where there is no room for two, the draft alone. */
export const sides = ['edit', 'try', 'tests', 'versions'] as const;
export type Side = (typeof sides)[number];
/** What of the draft is in sight. */
export const parts = ['prompt', 'model', 'knowledge', 'audience'] as const;
export type Part = (typeof parts)[number];
type Names = { bot?: ChatbotId | null; tab?: Side; part?: Part; run?: string | null; from?: string; to?: string };

/** Where one is in the studio: it stands in the address, so that a view can be sent. */
export function useStudioPlace() {
  const [search, setSearch] = useSearchParams();
  const named = <Name extends string>(name: string, names: readonly Name[]): Name =>
    names.find((one) => one === search.get(name)) ?? names[0]!;
  /** The address with these changes; null takes one out. */
  const withChanges = useCallback(
    (changes: Names): URLSearchParams => {
      const next = new URLSearchParams(search);
      if ('bot' in changes) for (const name of ['tab', 'part', 'run', 'from', 'to']) next.delete(name);
      for (const [name, value] of Object.entries(changes))
        if (value === null) next.delete(name);
        else next.set(name, value);
      return next;
    },
    [search],
  );
  return {
    bot: search.get('bot') as ChatbotId | null,
    tab: named('tab', sides),
    part: named('part', parts),
    from: search.get('from'),
    to: search.get('to'),
    linkTo: (changes: Names) => ({ search: withChanges(changes).toString() }),
    go: (changes: Names, options?: { replace: boolean }) => setSearch(withChanges(changes), options),
  };
}
