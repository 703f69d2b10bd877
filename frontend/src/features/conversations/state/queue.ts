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

/** What waits in a chat on the server; nothing while that is not known. */
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

/** Takes what a command has answered in place of what is known, and of what is being read. */
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
 * Whether an answer is being written, as far as this page knows: another one can only be queued. Where none is, others
 * that wait don't hold it up: they may wait for exactly this, because the last answer failed.
 */
export function hasToWait(client: QueryClient, { orgId, conversationId }: Place): boolean {
  const state = client.getQueryData<ConversationStreamState>(conversationKey(orgId, conversationId));
  return state !== undefined && isAnswering(state);
}

type Waiting = { readonly parentId?: MessageId | null; readonly answerId: MessageId };

/** What the next question follows: the answer of the last one that waits on this path, else the end of the path. */
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
 * Goes to an answer that this tab has queued in place of another one, once it begins. What is queued behind the end of
 * the path needs none of that: the path grows by it.
 */
export function useFollowQueued({ waiting, show }: Following): (answerId: MessageId) => void {
  const [followed, setFollowed] = useState<readonly MessageId[]>([]);
  const shown = useRef(new Set<MessageId>());
  useEffect(() => {
    for (const id of followed) {
      if (shown.current.has(id) || waiting.some(({ answerId }) => answerId === id)) continue;
      shown.current.add(id);
      // One that was withdrawn is not there.
      show(id).catch(() => undefined);
    }
  }, [followed, waiting, show]);
  return useCallback((answerId) => setFollowed((known) => [...known, answerId]), []);
}
