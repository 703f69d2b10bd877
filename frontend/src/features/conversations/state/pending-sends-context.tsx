import { useQueryClient, type QueryClient } from '@tanstack/react-query';
import type { Accepted, ConversationId } from '@parley/contracts';
import type { OrgId, UserId } from '@parley/protocol';
import { createContext, useContext, useEffect, useMemo, useState, useSyncExternalStore, type ReactNode } from 'react';
import { api, isProblem } from '../../../lib/http.ts';
import { useLiveEvent } from '../../../lib/live.tsx';
import { askWhetherSignedIn } from '../../../domain/session/own-session.ts';
import { useTab } from '../../../lib/tab-organisation.tsx';
import { placeConversation } from './conversation-list.ts';
import { DraftsProvider } from './drafts-context.tsx';
import { conversationKey } from './messages.ts';
import { applyMessages, type ConversationStreamState } from '../../../domain/conversation/conversation-stream-state.ts';
import { PendingSends, type PendingSend } from './pending-sends.ts';
import { keepQueue } from './queue.ts';

const context = createContext<PendingSends | null>(null);

/**
 * Provides unacknowledged questions and drafts for as long as the tab's organisation, because questions are sent from
 * all pages. Use one key per organisation.
 */
export function PendingSendsProvider({ children }: { children: ReactNode }) {
  const { me, organisation } = useTab();
  const client = useQueryClient();
  const [sends] = useState(() => createPendingSends(client, me.id, organisation.id));
  useEffect(() => {
    sends.start();
    window.addEventListener('online', sends.retryAll);
    return () => {
      window.removeEventListener('online', sends.retryAll);
      sends.close();
    };
  }, [sends]);
  useLiveEvent('connected', sends.retryAll);
  return (
    <context.Provider value={sends}>
      <DraftsProvider>{children}</DraftsProvider>
    </context.Provider>
  );
}

function createPendingSends(client: QueryClient, userId: UserId, orgId: OrgId): PendingSends {
  return new PendingSends({
    owner: `parley.send.${userId}.${orgId}`,
    storage: localStorage,
    post: async (send) => {
      if (send.isQueued) return queue(client, orgId, send);
      try {
        await ask(client, orgId, send);
      } catch (error) {
        // Go on only if an answer has begun in the chat meanwhile: then the question is queued.
        if (!isProblem(error, 'chat.generation-running')) throw error;
        await queue(client, orgId, send);
      }
    },
    onUnauthenticated: () => void askWhetherSignedIn(),
  });
}

async function ask(client: QueryClient, orgId: OrgId, send: PendingSend): Promise<void> {
  const { conversationId, createdAt: _createdAt, attached: _attached, isQueued: _isQueued, ...body } = send;
  const accepted = await api('POST /api/chat/conversations/:conversationId/messages', {
    orgId,
    params: { conversationId },
    body,
  });
  // Changes only a chat that is loaded: opening any other one fetches it anyway.
  client.setQueryData<ConversationStreamState>(
    conversationKey(orgId, accepted.conversation.id),
    (state) => state && withAccepted(state, accepted),
  );
  placeConversation(client, orgId, accepted.conversation);
}

async function queue(client: QueryClient, orgId: OrgId, send: PendingSend): Promise<void> {
  const {
    conversationId,
    createdAt: _createdAt,
    attached: _attached,
    isQueued: _isQueued,
    projectId: _projectId,
    ...question
  } = send;
  const { started, ...waiting } = await api('POST /api/chat/conversations/:conversationId/queue', {
    orgId,
    params: { conversationId },
    body: { kind: 'question', ...question, parentId: question.parentId ?? null },
  });
  await keepQueue(client, { orgId, conversationId }, waiting);
  if (started) void client.invalidateQueries({ queryKey: conversationKey(orgId, conversationId), exact: true });
}

/**
 * Adds an accepted question to the chat. If no other change came between, sets the sequence, so that nothing is
 * fetched.
 */
export function withAccepted(
  state: ConversationStreamState,
  { message, answer, conversation }: Accepted,
): ConversationStreamState {
  const { title, archived = false } = conversation;
  const merged = { ...applyMessages(state, [message, answer]), title, isArchived: archived };
  const isNext = message.position === 1 || Math.min(message.sequence, answer.sequence) <= state.sequence + 1;
  const isAll =
    merged.messages.at(-1)?.id === answer.id && Math.max(message.sequence, answer.sequence) === conversation.sequence;
  return isNext && isAll ? { ...merged, sequence: Math.max(state.sequence, conversation.sequence) } : merged;
}

export function usePendingSends(): PendingSends {
  const sends = useContext(context);
  if (!sends) throw new Error('usePendingSends outside of PendingSendsProvider');
  return sends;
}

export function usePendingOf(conversationId: ConversationId | null): readonly PendingSend[] {
  const sends = usePendingSends();
  const items = useSyncExternalStore(sends.watch, () => sends.items);
  return useMemo(() => items.filter((item) => item.conversationId === conversationId), [items, conversationId]);
}
