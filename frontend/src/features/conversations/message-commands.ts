import type { ConversationId, Message, MessageId } from '@parley/contracts';
import { useCallback } from 'react';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from 'react-router-dom';
import { api } from '../../lib/http.ts';
import { newId } from '../../lib/new-id.ts';
import { usePaths } from '../../lib/paths.ts';
import { useProblemText } from '../../lib/problem-texts.ts';
import { resourceKey } from '../../lib/query-keys.ts';
import { useTab } from '../../lib/tab-organisation.tsx';
import { useText } from '../../lib/text.ts';
import { useToast } from '../../ui/toast.tsx';
import { placeConversation } from './conversation-list.ts';

type Show = (id: MessageId) => Promise<void>;
type Stream = { readonly show: Show; readonly refetch: () => unknown };

/** Branching to a new chat, deleting with undo, and going to other versions. */
export function useMessageCommands(conversationId: ConversationId, { show, refetch }: Stream) {
  const orgId = useTab().organisation.id;
  const client = useQueryClient();
  const navigate = useNavigate();
  const paths = usePaths();
  const toast = useToast();
  const describe = useProblemText();
  const { t } = useText();
  const tell = useCallback((error: unknown) => toast({ text: describe(error).text }), [toast, describe]);
  const showVersion = useCallback((id: MessageId) => show(id).catch(tell), [show, tell]);
  const branch = useCallback(
    async ({ id: messageId }: Message, copies: 'path' | 'all') => {
      const body = { id: newId('conversation'), messageId, copies };
      const call = { orgId, params: { conversationId }, body, retries: 3 };
      try {
        const conversation = await api('POST /api/chat/conversations/:conversationId/branches', call);
        placeConversation(client, orgId, conversation);
        await navigate(paths.to('chat/:id', { id: conversation.id }));
        toast({
          text: t({ id: 'chat.message.branched', defaultMessage: 'This is the new chat. The other one is unchanged.' }),
        });
      } catch (error) {
        tell(error);
      }
    },
    [orgId, conversationId, client, navigate, paths, toast, t, tell],
  );
  const remove = useCallback(
    async ({ id: messageId }: Message) => {
      const call = { orgId, params: { conversationId, messageId }, retries: 3 };
      const refresh = () =>
        client.invalidateQueries({ queryKey: resourceKey('messages', orgId, conversationId, 'deleted') });
      const undo = () => {
        api('POST /api/chat/conversations/:conversationId/messages/:messageId/restore', call)
          .then(() => show(messageId))
          .then(refresh, tell);
      };
      try {
        const { leafId } = await api('DELETE /api/chat/conversations/:conversationId/messages/:messageId', call);
        await (leafId === null ? refetch() : show(leafId));
        void refresh();
        toast({
          text: t({ id: 'chat.message.deleted', defaultMessage: 'Deleted. You can restore it for 7 days.' }),
          undo,
        });
      } catch (error) {
        tell(error);
      }
    },
    [orgId, conversationId, client, show, refetch, toast, t, tell],
  );
  return { showVersion, branch, remove };
}
