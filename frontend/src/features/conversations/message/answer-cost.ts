import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { AnswerCost, Message } from '@parley/contracts';
import { api } from '../../../lib/http.ts';
import { resourceKey } from '../../../lib/query-keys.ts';
import { useTab } from '../../../lib/tab-organisation.tsx';

const soonMs = 1_000;
/** An answer without a cost after this time gets none: billing is unavailable, or someone else paid for the answer. */
const patienceMs = 20_000;

/**
 * Returns the cost of one of the person's answers; null until it is known. Requests the costs of a whole conversation
 * at once.
 */
export function useAnswerCost({ conversationId, generation }: Message): AnswerCost | null {
  const client = useQueryClient();
  const orgId = useTab().organisation.id;
  const isRefused = generation?.failure === 'budget-spent' || generation?.failure === 'budget-unavailable';
  const isOver = generation?.finishedAt != null && generation.model.key !== 'builtin' && !isRefused;
  const find = (items: readonly AnswerCost[] | undefined) =>
    items?.find(({ generationId }) => generationId === generation?.id) ?? null;
  const { data } = useQuery({
    queryKey: resourceKey('my-answers', orgId, conversationId),
    queryFn: async ({ signal }) => {
      const costs = await api('GET /api/billing/my-answers', { orgId, query: { conversationId }, signal });
      // New costs have reduced the budgets, so read them again.
      void client.invalidateQueries({ queryKey: resourceKey('my-budgets', orgId) });
      return costs;
    },
    enabled: isOver,
    staleTime: 60_000,
    refetchInterval: ({ state }) => {
      const isRecent = Date.now() - Date.parse(generation?.finishedAt ?? '') < patienceMs;
      return isRecent && find(state.data?.items) === null ? soonMs : false;
    },
  });
  return isOver ? find(data?.items) : null;
}
