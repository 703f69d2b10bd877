import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState, useSyncExternalStore } from 'react';
import { isRunning } from '../../../domain/conversation/conversation-path.ts';
import type { ConversationStreamState } from '../../../domain/conversation/conversation-stream-state.ts';
import { api } from '../../../lib/http.ts';
import { useLiveStatus } from '../../../lib/live.tsx';
import { useTab } from '../../../lib/tab-organisation.tsx';
import { markSeen, useKnownConversation } from '../state/conversation-list.ts';

/** The end must be in sight for this long: people don't read text that they only scroll past. */
const lookingMs = 500;

/** Marks the open chat as read on all devices, once its end is in sight. */
export function useMarkRead(state: ConversationStreamState, isAway: boolean): void {
  const { conversationId: id, sequence } = state;
  const orgId = useTab().organisation.id;
  const client = useQueryClient();
  const isLive = useLiveStatus() === 'live';
  const isShown = useSyncExternalStore(watchVisibility, () => !document.hidden);
  const row = useKnownConversation(id);
  const [seen, setSeen] = useState(0);
  const lastEnd = state.messages.findLast((message) => message.role === 'assistant' && !isRunning(message));
  // Trust the mark of the chat's row in the list. Without a row, mark the chat as read once, and after each answer.
  const isUnread = row ? row.unread === true && row.sequence <= sequence : (lastEnd?.sequence ?? 0) > seen;
  const isLooking = useLooking(isShown && !isAway);
  const isReading = isUnread && isLive && isLooking;
  useEffect(() => {
    if (!isReading) return;
    const call = { orgId, params: { conversationId: id }, body: { sequence }, retries: 3, keepalive: true };
    api('PUT /api/chat/conversations/:conversationId/read', call).then(
      () => {
        setSeen(sequence);
        markSeen(client, orgId, { id, sequence });
      },
      // Ignore the error: the chat stays unread, and is marked the next time the person looks at it.
      () => undefined,
    );
  }, [isReading, client, orgId, id, sequence]);
}

/** Returns true after half a second in sight; from then on new answers count as seen immediately. */
function useLooking(isInSight: boolean): boolean {
  const [isLooking, setLooking] = useState(false);
  useEffect(() => {
    if (!isInSight) return undefined;
    const timer = setTimeout(() => setLooking(true), lookingMs);
    return () => {
      clearTimeout(timer);
      setLooking(false);
    };
  }, [isInSight]);
  return isLooking;
}

function watchVisibility(changed: () => void): () => void {
  document.addEventListener('visibilitychange', changed);
  return () => document.removeEventListener('visibilitychange', changed);
}
