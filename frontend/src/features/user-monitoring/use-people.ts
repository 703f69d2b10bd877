import type { PeopleSpan } from '@parley/contracts';
import { useList } from '../../lib/use-list.ts';

/** No event tells of what was used: it is read again while somebody looks. */
export const refetchMs = 15_000;
export const spans = ['week', 'month'] as const satisfies readonly PeopleSpan[];
export const sorts = ['cost', 'answers', 'tokens', 'seen'] as const;
export type PeopleSort = (typeof sorts)[number];

/** People with what they used, by what stands in the address. Span and order are no filters: they hide nobody. */
export function usePeople() {
  const list = useList('GET /api/monitoring/people', {
    filters: { span: spans, sort: sorts, text: 'text' },
    refetchMs,
  });
  const { span, sort, text } = list.filters;
  return { ...list, span: span ?? 'month', sort: sort ?? 'cost', isFiltered: text !== null };
}
export type People = ReturnType<typeof usePeople>;
