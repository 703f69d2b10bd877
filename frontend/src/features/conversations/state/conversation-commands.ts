import { useQueryClient } from '@tanstack/react-query';
import type { Conversation, ConversationId } from '@parley/contracts';
import { keepDeletedDays } from '@parley/contracts/names';
import { useCallback } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import { useFormats } from '../../../lib/formats.ts';
import { usePaths } from '../../../lib/paths.ts';
import { resourceKey } from '../../../lib/query-keys.ts';
import { api, isProblem, toProblem } from '../../../lib/http.ts';
import { useTab } from '../../../lib/tab-organisation.tsx';
import { useText } from '../../../lib/text.ts';
import { cutName } from '../../../ui/cut-name.tsx';
import { useErrorToast } from '../../../ui/error-toast.ts';
import { useToast } from '../../../ui/toast.tsx';
import { fetchConversation, knownConversation, placeConversation, removeConversation } from './conversation-list.ts';
import { useDrafts } from './drafts-context.tsx';
import { marked, showMarked, type Marks } from './marks.ts';
import { conversationKey } from './messages.ts';
import type { ConversationStreamState } from '../../../domain/conversation/conversation-stream-state.ts';

const dayMs = 86_400_000;

/**
 * Actions on a chat, from the list and from the open chat. Shows each change immediately, and undoes it if the server
 * refuses.
 */
export const useConversationCommands = () => ({ rename: useRename(), mark: useMark(), remove: useRemove() });

const notFound = toProblem(404, JSON.stringify({ code: 'chat.conversation-not-found' }));

/** Pins or archives a chat, or undoes that. Archiving shows a toast with Undo. */
function useMark() {
  const orgId = useTab().organisation.id;
  const client = useQueryClient();
  const toast = useToast();
  const showError = useErrorToast();
  const { rich } = useText();
  return useCallback(
    async (id: ConversationId, marks: Marks) => {
      const show = (conversation: Conversation) => showMarked(client, orgId, conversation);
      const write = async (known: Conversation, wanted: Marks) => {
        show(marked(known, wanted));
        const body = { conversationIds: [id], ...wanted };
        const { results } = await api('PUT /api/chat/conversation-marks', { orgId, body, retries: 3 }).catch(
          (error: unknown) => {
            show(known);
            throw error;
          },
        );
        // The chat was deleted on another device meanwhile.
        if (results.some(({ code }) => code !== null)) {
          removeConversation(client, orgId, id);
          throw notFound;
        }
      };
      const undo = (before: Conversation) => {
        const wanted = before.pinned ? { pinned: true } : { archived: false };
        write(before, wanted).catch(showError);
      };
      try {
        const before = knownConversation(client, orgId, id) ?? (await fetchConversation(orgId, id));
        await write(before, marks);
        if (!('archived' in marks) || !marks.archived) return;
        const text = rich(
          { id: 'chat.archive.done', defaultMessage: '“<name>{title}</name>” was archived.' },
          { title: before.title, name: cutName },
        );
        toast({ text, undo: () => undo(before) });
      } catch (error) {
        showError(error);
      }
    },
    [client, orgId, toast, showError, rich],
  );
}

function useRename() {
  const orgId = useTab().organisation.id;
  const client = useQueryClient();
  const showError = useErrorToast();
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
        showError(error);
      }
    },
    [client, orgId, showError],
  );
}

function useRemove() {
  const orgId = useTab().organisation.id;
  const drafts = useDrafts();
  const client = useQueryClient();
  const toast = useToast();
  const showError = useErrorToast();
  const { rich } = useText();
  const { date } = useFormats();
  const navigate = useNavigate();
  const { pathname } = useLocation();
  const paths = usePaths();
  return useCallback(
    (id: ConversationId, title: string) => {
      const one = { orgId, params: { conversationId: id }, retries: 3 };
      const isOpen = pathname.endsWith(id);
      const undo = () => {
        api('POST /api/chat/conversations/:conversationId/restore', one).then((conversation) => {
          drafts.bringBack(id);
          placeConversation(client, orgId, conversation);
          void client.invalidateQueries({ queryKey: conversationKey(orgId, id) });
          void client.invalidateQueries({ queryKey: resourceKey('deleted-conversations', orgId) });
          if (isOpen) void navigate(paths.to('chat/:id', { id }));
        }, showError);
      };
      const known = knownConversation(client, orgId, id);
      removeConversation(client, orgId, id);
      if (isOpen) void navigate(paths.to('chat'));
      api('DELETE /api/chat/conversations/:conversationId', one).then(
        () => {
          drafts.drop(id);
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
          showError(error);
        },
      );
    },
    [client, orgId, drafts, toast, showError, rich, date, navigate, pathname, paths],
  );
}
