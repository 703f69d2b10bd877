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

/** Returns what waits in a chat on the server; nothing while that is unknown. */
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

/** Stores the result of a command in place of what is known, and of what is being read. */
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
 * Returns whether an answer is running, as far as this page knows: another one can only be queued. Without one, waiting
 * questions don't hold it up, because they can be waiting for exactly this after the last answer failed.
 */
export function hasToWait(client: QueryClient, { orgId, conversationId }: Place): boolean {
  const state = client.getQueryData<ConversationStreamState>(conversationKey(orgId, conversationId));
  return state !== undefined && isAnswering(state);
}

type Waiting = { readonly parentId?: MessageId | null; readonly answerId: MessageId };

/**
 * Returns what the next question follows: the answer of the last waiting one on this path, otherwise the end of the
 * path.
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
 * Shows an answer that this tab has queued in place of another one, once it begins. The path grows by answers that are
 * queued behind its end, so they need none of that.
 */
export function useFollowQueued({ waiting, show }: Following): (answerId: MessageId) => void {
  const [followed, setFollowed] = useState<readonly MessageId[]>([]);
  const shown = useRef(new Set<MessageId>());
  useEffect(() => {
    for (const id of followed) {
      if (shown.current.has(id) || waiting.some(({ answerId }) => answerId === id)) continue;
      shown.current.add(id);
      // A withdrawn one isn't there.
      show(id).catch(() => undefined);
    }
  }, [followed, waiting, show]);
  return useCallback((answerId) => setFollowed((known) => [...known, answerId]), []);
}
