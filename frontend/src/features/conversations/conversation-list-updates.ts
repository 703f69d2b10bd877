import { useQueryClient } from '@tanstack/react-query';
import type { ServerToClient } from '@parley/contracts';
import { useCallback, useRef } from 'react';
import { isProblem } from '../../lib/http.ts';
import { useLiveEvent } from '../../lib/live.tsx';
import { useTab } from '../../lib/tab-organisation.tsx';
import {
  conversationListKey,
  fetchConversation,
  knownConversation,
  markRunning,
  placeConversation,
  removeConversation,
} from './conversation-list.ts';
import { bringDraftBack, dropDraft } from './drafts.ts';

/** Keeps the sidebar's list true on every device: one small read per durable change, nothing per token. */
export function useConversationListUpdates(): void {
  const { me, organisation } = useTab();
  const orgId = organisation.id;
  const client = useQueryClient();
  const hasConnected = useRef(false);
  const changed = useCallback<ServerToClient['conversation.changed']>(
    (message) => {
      const whose = { userId: me.id, orgId };
      if (message.kind === 'deleted') {
        dropDraft(whose, message.conversationId);
        return removeConversation(client, orgId, message.conversationId);
      }
      if (message.kind === 'restored') bringDraftBack(whose, message.conversationId);
      if (message.generation)
        markRunning(client, orgId, {
          id: message.conversationId,
          running: message.generation.status === 'queued' || message.generation.status === 'running',
        });
      if (
        message.kind === 'generation' ||
        (knownConversation(client, orgId, message.conversationId)?.sequence ?? 0) >= message.sequence
      )
        return;
      fetchConversation(orgId, message.conversationId).then(
        (conversation) => placeConversation(client, orgId, conversation),
        (error: unknown) =>
          isProblem(error, 'chat.conversation-not-found') && removeConversation(client, orgId, message.conversationId),
      );
    },
    [client, orgId, me.id],
  );
  // What was missed while the connection was lost.
  const connected = useCallback(() => {
    if (hasConnected.current) void client.invalidateQueries({ queryKey: conversationListKey(orgId) });
    hasConnected.current = true;
  }, [client, orgId]);
  useLiveEvent('conversation.changed', changed);
  useLiveEvent('connected', connected);
}
