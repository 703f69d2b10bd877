import { useQueryClient } from '@tanstack/react-query';
import type { Conversation } from '@parley/contracts';
import { api } from '../../../lib/http.ts';
import { settleFew } from '../../../lib/settle-few.ts';
import { useRight, useTab } from '../../../lib/tab-organisation.tsx';
import { useText } from '../../../lib/text.ts';
import { markSeen } from '../state/conversation-list.ts';
import { outcomeOf, useTellOutcome } from './outcome.tsx';
import { useWriteMarks } from './use-mark-many.ts';

type Chats = readonly Conversation[];

const mostAtOnce = 4;

/**
 * Marks many chats as read, up to the last change (`sequence`) that their rows show. Names chats that stay unread in
 * a toast, and returns them. One Undo marks all the others as unread again.
 */
export function useReadMany() {
  const client = useQueryClient();
  const orgId = useTab().organisation.id;
  const mayUndo = useRight('chat:update');
  const { t } = useText();
  const tell = useTellOutcome();
  const { show, write } = useWriteMarks();
  const undo = async (chats: Chats) => {
    show(chats);
    const left = await write(chats, { unread: true }, ({ unread: _unread, ...chat }) => chat);
    tell({ text: null, left });
  };
  return async (chats: Chats): Promise<Chats> => {
    const results = await settleFew(chats, mostAtOnce, async ({ id, sequence }) => {
      const call = { orgId, params: { conversationId: id }, body: { sequence }, retries: 3 };
      await api('PUT /api/chat/conversations/:conversationId/read', call);
      markSeen(client, orgId, { id, sequence });
    });
    const { done, left } = outcomeOf(chats, results);
    if (done.length === 0) return tell({ text: null, left });
    const text = t(
      {
        id: 'many.done.read',
        defaultMessage: '{count, plural, one {# chat marked as read.} other {# chats marked as read.}}',
      },
      { count: done.length },
    );
    return tell({ text, left, ...(mayUndo && { undo: () => void undo(done) }) });
  };
}
