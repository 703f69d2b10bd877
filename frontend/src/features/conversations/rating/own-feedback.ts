import type { ConversationId, Message, OwnFeedback } from '@parley/contracts';
import { useMutation, useQuery, useQueryClient, type QueryClient } from '@tanstack/react-query';
import { api, type Answer, type Call } from '../../../lib/http.ts';
import { resourceKey } from '../../../lib/query-keys.ts';
import { useTab } from '../../../lib/tab-organisation.tsx';
import type { ConversationStreamState } from '../../../domain/conversation/conversation-stream-state.ts';
import { conversationKey } from '../state/messages.ts';
import { withoutDiscarded } from '../state/exchanges.ts';

const listRoute = 'GET /api/chat/conversations/:conversationId/my-feedback';
const route = 'PUT /api/chat/conversations/:conversationId/messages/:messageId/feedback';
const withdrawRoute = 'DELETE /api/chat/conversations/:conversationId/messages/:messageId/feedback';
/** The most messages of a report, as in the contract. */
const mostShared = 20;

export type Rating = Call<typeof route>['body'];

/**
 * Returns the person's rating of one answer; null if there is none, undefined until it is known. All answers of a
 * conversation are read at once.
 */
export function useOwnFeedback({ conversationId, id }: Message): OwnFeedback | null | undefined {
  const orgId = useTab().organisation.id;
  const { data } = useQuery({
    queryKey: resourceKey('my-feedback', orgId, conversationId),
    queryFn: ({ signal }) => api(listRoute, { orgId, params: { conversationId }, signal }),
    staleTime: 60_000,
  });
  return data && (data.items.find(({ messageId }) => messageId === id) ?? null);
}

/** Rates an answer, or undoes that (null). Shows the earlier rating again if the server refuses. */
export function useRate({ conversationId, id: messageId }: Message) {
  const orgId = useTab().organisation.id;
  const client = useQueryClient();
  const key = resourceKey('my-feedback', orgId, conversationId);
  const place = { orgId, params: { conversationId, messageId }, retries: 2 };
  return useMutation({
    mutationFn: async (rating: Rating | null): Promise<OwnFeedback | null> => {
      if (rating !== null) return api(route, { ...place, body: rating });
      await api(withdrawRoute, place);
      return null;
    },
    onSuccess: (rated) =>
      client.setQueryData<Answer<typeof listRoute>>(key, (known) => ({
        items: [
          ...(known?.items ?? []).filter((one) => one.messageId !== messageId),
          ...(rated === null ? [] : [rated]),
        ],
      })),
    onError: () => client.invalidateQueries({ queryKey: key }),
  });
}

/** Returns how many messages a report can include: the path up to the answer, at most twenty. */
export function shareable(client: QueryClient, orgId: Parameters<typeof conversationKey>[0], answer: Message): number {
  const { conversationId, id } = answer;
  const state = client.getQueryData<ConversationStreamState>(conversationKey(orgId, conversationId as ConversationId));
  const path = state?.messages ?? [];
  const before = withoutDiscarded(path.slice(0, path.findIndex((message) => message.id === id) + 1));
  return Math.max(1, Math.min(mostShared, before.filter(({ text }) => text !== '').length));
}
