import type { QueryClient } from '@tanstack/react-query';
import type { Conversation } from '@parley/contracts';
import type { OrgId } from '@parley/protocol';
import type { ConversationStreamState } from '../../../domain/conversation/conversation-stream-state.ts';
import { placeConversation } from './conversation-list.ts';
import { conversationKey } from './messages.ts';

export type Marks = { readonly pinned?: boolean; readonly archived?: boolean };

/** Returns the chat with changed marks. Pinning takes it out of the archive, and archiving unpins it. */
export function marked(conversation: Conversation, marks: Marks): Conversation {
  const { pinned = false, archived = false, ...rest } = conversation;
  const isAway = marks.archived ?? (marks.pinned ? false : archived);
  if (isAway) return { ...rest, archived: true };
  return (marks.pinned ?? pinned) ? { ...rest, pinned: true } : rest;
}

/** Shows the marks of a chat in the lists, and in the open chat. */
export function showMarked(client: QueryClient, orgId: OrgId, conversation: Conversation): void {
  placeConversation(client, orgId, conversation);
  const isArchived = conversation.archived === true;
  client.setQueryData<ConversationStreamState>(
    conversationKey(orgId, conversation.id),
    (state) => state && { ...state, isArchived },
  );
}
