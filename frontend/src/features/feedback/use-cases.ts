import { useQuery } from '@tanstack/react-query';
import { feedbackReasons } from '../../domain/feedback/feedback-reasons.ts';
import { api } from '../../lib/http.ts';
import { resourceKey } from '../../lib/query-keys.ts';
import { useTab } from '../../lib/tab-organisation.tsx';
import { useList } from '../../lib/use-list.ts';
import { caseStates } from './feedback-words.ts';

export const stateFilters = ['open', ...caseStates, 'all'] as const;

/** Cases by what stands in the address; those that are open unless it says otherwise. */
export const useCases = () =>
  useList('GET /api/chat/feedback', {
    filters: { state: stateFilters, chatbot: 'text', reason: feedbackReasons, rating: ['up', 'down'], from: 'text' },
  });
export type Cases = ReturnType<typeof useCases>;

/** How answers were rated in the last days. */
export function useCounts(days: number) {
  const orgId = useTab().organisation.id;
  return useQuery({
    queryKey: resourceKey('feedback-counts', orgId, days),
    queryFn: ({ signal }) => api('GET /api/chat/feedback-counts', { orgId, query: { days }, signal }),
  });
}
