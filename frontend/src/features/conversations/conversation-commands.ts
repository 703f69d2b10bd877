import { useQueryClient } from '@tanstack/react-query';
import type { Conversation, ConversationId } from '@parley/contracts';
import { keepDeletedDays } from '@parley/contracts/names';
import { useCallback } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import { useFormats } from '../../lib/formats.ts';
import { usePaths } from '../../lib/paths.ts';
import { resourceKey } from '../../lib/query-keys.ts';
import { api, isProblem } from '../../lib/http.ts';
import { useProblemText } from '../../lib/problem-texts.ts';
import { useTab } from '../../lib/tab-organisation.tsx';
import { useText } from '../../lib/text.ts';
import { cutName } from '../../ui/cut-name.tsx';
import { useToast } from '../../ui/toast.tsx';
import { fetchConversation, knownConversation, placeConversation, removeConversation } from './conversation-list.ts';
import { bringDraftBack, dropDraft } from './drafts.ts';
import { conversationKey } from './messages.ts';
import type { ConversationStreamState } from '../../lib/conversation-stream-state.ts';

const dayMs = 86_400_000;

/** Rename and delete, from the list and from the open chat. Both show at once and are taken back when refused. */
export const useConversationCommands = () => ({ rename: useRename(), remove: useRemove() });

function useRename() {
  const orgId = useTab().organisation.id;
  const client = useQueryClient();
  const toast = useToast();
  const describe = useProblemText();
  return useCallback(
    async (id: ConversationId, title: string) => {
      const setTitle = (next: string) =>
        client.setQueryData<ConversationStreamState>(
          conversationKey(orgId, id),
          (state) => state && { ...state, title: next },
        );
      const known = knownConversation(client, orgId, id) ?? (await fetchConversation(orgId, id));
      const show = (conversation: Conversation) => [
        placeConversation(client, orgId, conversation),
        setTitle(conversation.title),
      ];
      show({ ...known, title });
      try {
        const call = { orgId, params: { conversationId: id }, body: { version: known.version, title } };
        show(await api('PATCH /api/chat/conversations/:conversationId', call));
      } catch (error) {
        const current = isProblem(error, 'platform.conflict') ? await fetchConversation(orgId, id) : known;
        show(current);
        toast({ text: describe(error).text });
      }
    },
    [client, orgId, toast, describe],
  );
}

function useRemove() {
  const { me, organisation } = useTab();
  const orgId = organisation.id;
  const client = useQueryClient();
  const toast = useToast();
  const describe = useProblemText();
  const { rich } = useText();
  const { date } = useFormats();
  const navigate = useNavigate();
  const { pathname } = useLocation();
  const paths = usePaths();
  return useCallback(
    (id: ConversationId, title: string) => {
      const one = { orgId, params: { conversationId: id }, retries: 3 };
      const whose = { userId: me.id, orgId };
      const isOpen = pathname.endsWith(id);
      const undo = () => {
        api('POST /api/chat/conversations/:conversationId/restore', one).then(
          (conversation) => {
            bringDraftBack(whose, id);
            placeConversation(client, orgId, conversation);
            void client.invalidateQueries({ queryKey: conversationKey(orgId, id) });
            void client.invalidateQueries({ queryKey: resourceKey('deleted-conversations', orgId) });
            if (isOpen) void navigate(paths.to('chat/:id', { id }));
          },
          (error: unknown) => toast({ text: describe(error).text }),
        );
      };
      const known = knownConversation(client, orgId, id);
      removeConversation(client, orgId, id);
      if (isOpen) void navigate(paths.to('chat'));
      api('DELETE /api/chat/conversations/:conversationId', one).then(
        () => {
          dropDraft(whose, id);
          void client.invalidateQueries({ queryKey: resourceKey('deleted-conversations', orgId) });
          const text = rich(
            {
              id: 'chat.delete.done',
              defaultMessage: '“<name>{title}</name>” was deleted. You can restore it until {date}.',
            },
            { title, name: cutName, date: date(Date.now() + keepDeletedDays * dayMs) },
          );
          toast({ text, undo });
        },
        (error: unknown) => {
          if (known) placeConversation(client, orgId, known);
          toast({ text: describe(error).text });
        },
      );
    },
    [client, orgId, me.id, toast, describe, rich, date, navigate, pathname, paths],
  );
}
