import { useQueryClient } from '@tanstack/react-query';
import type { Conversation } from '@parley/contracts';
import { api } from '../../../lib/http.ts';
import { settleFew } from '../../../lib/settle-few.ts';
import { useTab } from '../../../lib/tab-organisation.tsx';
import { markSeen } from '../state/conversation-list.ts';
import { outcomeOf, useTellOutcome } from './outcome.tsx';

const mostAtOnce = 4;

/**
 * Marks many chats as read, up to the last change (`sequence`) that their rows show. The unread dots disappear, so a
 * toast only names chats that stay unread, which are returned.
 */
export function useReadMany() {
  const client = useQueryClient();
  const orgId = useTab().organisation.id;
  const tell = useTellOutcome();
  return async (chats: readonly Conversation[]): Promise<readonly Conversation[]> => {
    const results = await settleFew(chats, mostAtOnce, async ({ id, sequence }) => {
      const call = { orgId, params: { conversationId: id }, body: { sequence }, retries: 3 };
      await api('PUT /api/chat/conversations/:conversationId/read', call);
      markSeen(client, orgId, { id, sequence });
    });
    return tell({ text: null, left: outcomeOf(chats, results).left });
  };
}
