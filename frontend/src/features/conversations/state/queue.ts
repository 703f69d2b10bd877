import { useQuery, type QueryClient } from '@tanstack/react-query';
import type { ConversationId, MessageId, QuestionQueue } from '@parley/contracts';
import type { OrgId } from '@parley/protocol';
import { useCallback, useEffect, useRef, useState } from 'react';
import { isAnswering, type ConversationStreamState } from '../../../domain/conversation/conversation-stream-state.ts';
import { api } from '../../../lib/http.ts';
import { resourceKey } from '../../../lib/query-keys.ts';
import { useTab } from '../../../lib/tab-organisation.tsx';
import { conversationKey, type Place } from './messages.ts';

export const noQueue: QuestionQueue = { items: [], waitsForPerson: false };

export const queueKey = (orgId: OrgId, conversationId: ConversationId) => resourceKey('queue', orgId, conversationId);

/** Returns the chat's queue on the server; an empty one until it is known. */
export function useQueue(conversationId: ConversationId, isKnown: boolean): QuestionQueue {
  const orgId = useTab().organisation.id;
  const { data } = useQuery({
    queryKey: queueKey(orgId, conversationId),
    queryFn: ({ signal }) =>
      api('GET /api/chat/conversations/:conversationId/queue', { orgId, params: { conversationId }, signal }),
    enabled: isKnown,
    staleTime: Infinity,
  });
  return data ?? noQueue;
}

/** Stores a command's result as the queue, and cancels reads that began before. */
export async function keepQueue(
  client: QueryClient,
  { orgId, conversationId }: Place,
  { items, waitsForPerson }: QuestionQueue,
): Promise<void> {
  const queryKey = queueKey(orgId, conversationId);
  await client.cancelQueries({ queryKey });
  client.setQueryData<QuestionQueue>(queryKey, { items, waitsForPerson });
}

/**
 * Returns true if an answer is running, as far as this page knows: then a request can only be queued. Queued questions
 * alone aren't a reason to queue it: after a failed answer they may wait for exactly this request.
 */
export function hasToWait(client: QueryClient, { orgId, conversationId }: Place): boolean {
  const state = client.getQueryData<ConversationStreamState>(conversationKey(orgId, conversationId));
  return state !== undefined && isAnswering(state);
}

type Waiting = { readonly parentId?: MessageId | null; readonly answerId: MessageId };

/**
 * Returns the message that the next question follows: the answer to the last queued question on this path, otherwise
 * the end of the path.
 */
export function endOf(path: readonly { readonly id: MessageId }[], waiting: readonly Waiting[]): MessageId | null {
  const reached = new Set<MessageId | null>([null, ...path.map(({ id }) => id)]);
  let end = path.at(-1)?.id ?? null;
  for (const { parentId = null, answerId } of waiting) {
    if (!reached.has(parentId)) continue;
    reached.add(answerId);
    end = answerId;
  }
  return end;
}

type Following = { readonly waiting: readonly Waiting[]; readonly show: (id: MessageId) => Promise<void> };

/**
 * Shows another answer to a question that this tab has queued, once it begins. An answer at the end of the path needs
 * no such step, because the path grows by it.
 */
export function useFollowQueued({ waiting, show }: Following): (answerId: MessageId) => void {
  const [followed, setFollowed] = useState<readonly MessageId[]>([]);
  const shown = useRef(new Set<MessageId>());
  useEffect(() => {
    for (const id of followed) {
      if (shown.current.has(id) || waiting.some(({ answerId }) => answerId === id)) continue;
      shown.current.add(id);
      // Ignore the error for an answer that was withdrawn and so doesn't exist.
      show(id).catch(() => undefined);
    }
  }, [followed, waiting, show]);
  return useCallback((answerId) => setFollowed((known) => [...known, answerId]), []);
}
