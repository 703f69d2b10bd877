import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { AnswerCost, ChatbotId, Trial, TrialId } from '@parley/contracts';
import { api } from '../../../lib/http.ts';
import { newId } from '../../../lib/new-id.ts';
import { resourceKey } from '../../../lib/query-keys.ts';
import { useTab } from '../../../lib/tab-organisation.tsx';
import { isOver } from '../../../domain/trial/trials.ts';

const soonMs = 1_000;
/** After that an answer has no entry in the ledger: billing is away. */
const patienceMs = 20_000;

/** My questions of the last days, newest first. */
export function useTrials(chatbotId: ChatbotId) {
  const orgId = useTab().organisation.id;
  return useQuery({
    queryKey: resourceKey('trials', orgId, 'list', chatbotId),
    queryFn: ({ signal }) =>
      api('GET /api/chat/chatbot-drafts/:chatbotId/trials', { orgId, params: { chatbotId }, query: {}, signal }),
    staleTime: Infinity,
  });
}

/** Asks the same of several versions at once; null is the draft. */
export function useAsk(chatbotId: ChatbotId) {
  const client = useQueryClient();
  const orgId = useTab().organisation.id;
  const listKey = resourceKey('trials', orgId, 'list', chatbotId);
  return useMutation({
    mutationFn: ({ question, versions }: { question: string; versions: readonly (number | null)[] }) =>
      Promise.all(
        versions.map((version) =>
          api('POST /api/chat/chatbot-drafts/:chatbotId/trials', {
            orgId,
            params: { chatbotId },
            body: { id: newId('trial'), question, version },
            retries: 2,
          }),
        ),
      ),
    onSuccess: (asked) =>
      client.setQueryData<{ items: Trial[] }>(listKey, (before) => ({ items: [...asked, ...(before?.items ?? [])] })),
  });
}

export function useStop() {
  const client = useQueryClient();
  const orgId = useTab().organisation.id;
  return useMutation({
    mutationFn: (trialId: TrialId) =>
      api('POST /api/chat/trials/:trialId/stop', { orgId, params: { trialId }, retries: 2 }),
    onSuccess: (_answer, trialId) => client.invalidateQueries({ queryKey: resourceKey('trials', orgId, trialId) }),
  });
}

/** What billing has written down for it; null until that is known, and of the built-in assistant. */
export function useTrialCost(trial: Trial): AnswerCost | null {
  const orgId = useTab().organisation.id;
  const { conversationId, generationId } = trial;
  const isBilled = isOver(trial) && trial.model.key !== 'builtin';
  const find = (items: readonly AnswerCost[] | undefined) =>
    items?.find((cost) => cost.generationId === generationId) ?? null;
  const { data } = useQuery({
    queryKey: resourceKey('my-answers', orgId, conversationId),
    queryFn: ({ signal }) => api('GET /api/billing/my-answers', { orgId, query: { conversationId }, signal }),
    enabled: isBilled,
    staleTime: 60_000,
    refetchInterval: ({ state }) => {
      const endedAt = Date.parse(trial.askedAt) + (trial.totalMs ?? 0);
      return find(state.data?.items) === null && Date.now() - endedAt < patienceMs ? soonMs : false;
    },
  });
  return isBilled ? find(data?.items) : null;
}
