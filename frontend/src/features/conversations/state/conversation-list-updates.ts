import { useQueryClient } from '@tanstack/react-query';
import type { ServerToClient } from '@parley/contracts';
import { useCallback, useRef } from 'react';
import { isProblem } from '../../../lib/http.ts';
import { useLiveEvent } from '../../../lib/live.tsx';
import { useTab } from '../../../lib/tab-organisation.tsx';
import {
  conversationListKey,
  fetchConversation,
  knownConversation,
  isLoaded,
  markEnded,
  markRunning,
  markSeen,
  placeConversation,
  removeConversation,
} from './conversation-list.ts';
import { useDrafts } from './drafts-context.tsx';

const isGoing: ReadonlySet<string> = new Set(['queued', 'running']);

/** Keeps the loaded lists of chats up to date on every device: one small read per stored change, none per token. */
export function useConversationListUpdates(): void {
  const orgId = useTab().organisation.id;
  const drafts = useDrafts();
  const client = useQueryClient();
  const hasConnected = useRef(false);
  const changed = useCallback<ServerToClient['conversation.changed']>(
    (message) => {
      if (message.kind === 'deleted') {
        drafts.drop(message.conversationId);
        return removeConversation(client, orgId, message.conversationId);
      }
      if (message.kind === 'restored') drafts.bringBack(message.conversationId);
      const { conversationId: id, sequence, generation } = message;
      const known = knownConversation(client, orgId, id);
      if (message.kind === 'read') return markSeen(client, orgId, { id, sequence });
      if (generation && isGoing.has(generation.status)) markRunning(client, orgId, { id, running: true });
      else if (generation) markEnded(client, orgId, { id, sequence });
      // Read the chat when an answer ends, because a project's table names the chatbot of the newest answer.
      const isShown = message.kind !== 'generation' || (known?.projectId && !isGoing.has(generation?.status ?? ''));
      // A title that a model wrote doesn't increase the sequence.
      const isKnown = message.kind !== 'renamed' && (known?.sequence ?? 0) >= sequence;
      if (!isShown || !isLoaded(client, orgId) || isKnown) return;
      fetchConversation(orgId, id).then(
        (conversation) => placeConversation(client, orgId, conversation),
        (error: unknown) => isProblem(error, 'chat.conversation-not-found') && removeConversation(client, orgId, id),
      );
    },
    [client, orgId, drafts],
  );
  // Reads the lists again, because changes were missed while the connection was lost.
  const connected = useCallback(() => {
    if (hasConnected.current) void client.invalidateQueries({ queryKey: conversationListKey(orgId) });
    hasConnected.current = true;
  }, [client, orgId]);
  useLiveEvent('conversation.changed', changed);
  useLiveEvent('connected', connected);
}
