import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { ConversationId, Message, MessageId } from '@parley/contracts';
import type { OrgId } from '@parley/protocol';
import { useEffect } from 'react';
import { api } from '../../../lib/http.ts';
import { resourceKey } from '../../../lib/query-keys.ts';
import { useTab } from '../../../lib/tab-organisation.tsx';
import { givenBy, nobody, type Given } from '../state/answerer.ts';

/**
 * Returns the chatbot and model that the last question of a path was sent to. Ignores a model that was later asked for
 * another version, because the next question doesn't go to it.
 */
export function useAskedOf(conversationId: ConversationId, path: readonly Message[]): Given {
  const orgId = useTab().organisation.id;
  const client = useQueryClient();
  const answer = path.findLast(({ role }) => role === 'assistant');
  const isVersion = answer !== undefined && isAskedForAgain(answer, path);
  const questionId = answer?.parentId;
  const first = isVersion ? null : givenBy(answer);
  const { data } = useQuery({
    queryKey: askedOfKey(orgId, conversationId, questionId),
    queryFn: async ({ signal }): Promise<Given> => {
      const params = { conversationId, messageId: answer!.id };
      const route = 'GET /api/chat/conversations/:conversationId/messages/:messageId/branch';
      return (await api(route, { orgId, params, signal })).versions[0] ?? nobody;
    },
    enabled: isVersion,
    staleTime: Infinity,
  });
  const { model, chatbotId } = first ?? nobody;
  // Cache the result now, so that showing another version needs no request.
  useEffect(() => {
    if (model !== null) client.setQueryData<Given>(askedOfKey(orgId, conversationId, questionId), { model, chatbotId });
  }, [client, orgId, conversationId, questionId, model, chatbotId]);
  return first ?? data ?? nobody;
}

const askedOfKey = (orgId: OrgId, conversationId: ConversationId, questionId: MessageId | null | undefined) =>
  resourceKey('messages', orgId, conversationId, 'asked-of', questionId);

/** Returns true if an answer isn't its question's first: the first has the position after the question. */
function isAskedForAgain({ parentId, position, imported }: Message, path: readonly Message[]): boolean {
  const question = path.find(({ id }) => id === parentId);
  return !imported && question !== undefined && position > question.position + 1;
}
