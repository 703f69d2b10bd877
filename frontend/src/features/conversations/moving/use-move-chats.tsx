import { useQueryClient } from '@tanstack/react-query';
import type { Conversation, ConversationId, Project, ProjectId } from '@parley/contracts';
import { useCallback } from 'react';
import { api, toProblem } from '../../../lib/http.ts';
import { resourceKey } from '../../../lib/query-keys.ts';
import { useTab } from '../../../lib/tab-organisation.tsx';
import { useText } from '../../../lib/text.ts';
import { cutName } from '../../../ui/cut-name.tsx';
import { useErrorToast } from '../../../ui/error-toast.ts';
import { useToast } from '../../../ui/toast.tsx';
import { placeConversation } from '../state/conversation-list.ts';
import { readProjectsAgain } from '../state/projects.ts';

type Chats = readonly Conversation[];
/** The error for each chat that wasn't moved. */
export type NotMoved = ReadonlyMap<ConversationId, unknown>;

const inProject = ({ projectId: _before, ...chat }: Conversation, projectId: ProjectId | null): Conversation =>
  projectId ? { ...chat, projectId } : chat;

/** Moves chats into a project, or out of theirs. Shows the change immediately, and undoes it if the server refuses. */
export function useMoveChats(): (chats: Chats, projectId: ProjectId | null) => Promise<NotMoved> {
  const orgId = useTab().organisation.id;
  const client = useQueryClient();
  return useCallback(
    async (chats, projectId) => {
      const show = (wanted: Chats) => {
        for (const chat of wanted) placeConversation(client, orgId, chat);
      };
      show(chats.map((chat) => inProject(chat, projectId)));
      const body = { conversationIds: chats.map(({ id }) => id), projectId };
      try {
        const { results } = await api('PUT /api/chat/conversation-projects', { orgId, body, retries: 3 });
        const refused = results.flatMap(({ conversationId, code }) => (code ? [[conversationId, code] as const] : []));
        return new Map(refused.map(([id, code]) => [id, toProblem(404, JSON.stringify({ code }))]));
      } catch (error) {
        show(chats);
        return new Map(chats.map(({ id }) => [id, error]));
      } finally {
        void readProjectsAgain(client, orgId);
        void client.invalidateQueries({ queryKey: resourceKey('conversations', orgId) });
      }
    },
    [client, orgId],
  );
}

/** Moves chats back, each to its earlier project. */
export function useMoveBack(): (chats: Chats) => void {
  const move = useMoveChats();
  const showError = useErrorToast();
  return useCallback(
    (chats) => {
      const places = new Set(chats.map(({ projectId = null }) => projectId));
      const moves = [...places].map((place) =>
        move(
          chats.filter(({ projectId = null }) => projectId === place),
          place,
        ),
      );
      void Promise.all(moves).then((all) => {
        const [error] = all.flatMap((notMoved) => [...notMoved.values()]);
        if (error) showError(error);
      });
    },
    [move, showError],
  );
}

/** Moves one chat, shows a toast, and can undo it. */
export function useMoveChat(): (chat: Conversation, project: Pick<Project, 'id' | 'name'> | null) => Promise<void> {
  const move = useMoveChats();
  const moveBack = useMoveBack();
  const toast = useToast();
  const showError = useErrorToast();
  const { rich } = useText();
  return useCallback(
    async (chat, project) => {
      const [error] = [...(await move([chat], project?.id ?? null)).values()];
      if (error) return showError(error);
      const title = { title: chat.title, name: cutName };
      const text = project
        ? rich(
            {
              id: 'project.move.done',
              defaultMessage: '“<name>{title}</name>” was moved to “<name>{project}</name>”.',
            },
            { ...title, project: project.name },
          )
        : rich(
            { id: 'project.move.out', defaultMessage: '“<name>{title}</name>” was removed from its project.' },
            title,
          );
      toast({ text, undo: () => moveBack([chat]) });
    },
    [move, moveBack, toast, showError, rich],
  );
}
