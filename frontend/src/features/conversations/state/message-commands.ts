import type { ConversationId, Message, MessageId } from '@parley/contracts';
import { useCallback } from 'react';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from 'react-router-dom';
import { api } from '../../../lib/http.ts';
import { newId } from '../../../lib/new-id.ts';
import { usePaths } from '../../../lib/paths.ts';
import { resourceKey } from '../../../lib/query-keys.ts';
import { useTab } from '../../../lib/tab-organisation.tsx';
import { useText } from '../../../lib/text.ts';
import { useErrorToast } from '../../../ui/error-toast.ts';
import { useToast } from '../../../ui/toast.tsx';
import { placeConversation } from './conversation-list.ts';
import type { Drafts } from './drafts.ts';
import { useDrafts } from './drafts-context.tsx';

type Show = (id: MessageId) => Promise<void>;
type Stream = { readonly show: Show; readonly refetch: () => unknown };

/** Branches to a new chat, deletes messages with Undo, and shows other versions. */
export function useMessageCommands(conversationId: ConversationId, { show, refetch }: Stream) {
  const orgId = useTab().organisation.id;
  const client = useQueryClient();
  const toast = useToast();
  const tell = useErrorToast();
  const { t } = useText();
  const showVersion = useCallback((id: MessageId) => show(id).catch(tell), [show, tell]);
  const branch = useBranch(conversationId, tell);
  const remove = useCallback(
    async ({ id: messageId, role }: Message) => {
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
          text: t(
            {
              id: 'chat.message.deleted',
              defaultMessage:
                '{role, select, person {Question deleted. You can restore it for 7 days.} other {Answer deleted. You can restore it for 7 days.}}',
            },
            { role },
          ),
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

/**
 * Branches a chat. At a question, a copied path ends before the question, whose text and files become the new draft.
 */
function useBranch(conversationId: ConversationId, tell: (error: unknown) => void) {
  const orgId = useTab().organisation.id;
  const client = useQueryClient();
  const navigate = useNavigate();
  const paths = usePaths();
  const toast = useToast();
  const { t } = useText();
  const drafts = useDrafts();
  return useCallback(
    async (message: Message, copies: 'path' | 'all') => {
      const isBefore = message.role === 'person' && copies === 'path';
      const messageId = isBefore ? message.parentId : message.id;
      const begin = (where: ConversationId | 'new') => {
        if (isBefore) draftOf(drafts, where, message);
      };
      if (messageId === null) {
        begin('new');
        await navigate(paths.to('chat'));
        return;
      }
      const body = { id: newId('conversation'), messageId, copies };
      const call = { orgId, params: { conversationId }, body, retries: 3 };
      try {
        const conversation = await api('POST /api/chat/conversations/:conversationId/branches', call);
        placeConversation(client, orgId, conversation);
        begin(conversation.id);
        await navigate(paths.to('chat/:id', { id: conversation.id }));
        toast({
          text: t({ id: 'chat.message.branched', defaultMessage: 'This is the new chat. The other one is unchanged.' }),
        });
      } catch (error) {
        tell(error);
      }
    },
    [orgId, conversationId, client, drafts, navigate, paths, toast, t, tell],
  );
}

/** Puts a question into the draft of a chat, before the draft's text. */
function draftOf(drafts: Drafts, where: ConversationId | 'new', { text, files = [] }: Message): void {
  const { text: known } = drafts.read(where);
  drafts.type(where, [text, known].filter((part) => part !== '').join('\n'));
  drafts.attachAll(
    where,
    files.map(({ id, use }) => ({ id, use })),
  );
}
