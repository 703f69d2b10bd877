import { useQueryClient } from '@tanstack/react-query';
import type { Conversation } from '@parley/contracts';
import { api, toProblem } from '../../../lib/http.ts';
import { useTab } from '../../../lib/tab-organisation.tsx';
import { useText } from '../../../lib/text.ts';
import { removeConversation } from '../state/conversation-list.ts';
import { marked, showMarked, type Marks } from '../state/marks.ts';
import { useTellOutcome, type Left } from './outcome.tsx';

type Chats = readonly Conversation[];

/** Groups chats by their earlier marks, so that Undo makes one call for each group. */
function waysBack(chats: Chats): { marks: Marks; chats: Chats }[] {
  const ways: { marks: Marks; chats: Chats }[] = [
    { marks: { pinned: true }, chats: chats.filter(({ pinned }) => pinned) },
    { marks: { archived: true }, chats: chats.filter(({ archived }) => archived) },
    { marks: { pinned: false, archived: false }, chats: chats.filter(({ pinned, archived }) => !pinned && !archived) },
  ];
  return ways.filter((way) => way.chats.length > 0);
}

/**
 * Shows changed chats, and stores their marks. If the request for a chat fails, `write` shows that chat as `asBefore`
 * returns it, and returns it.
 */
export function useWriteMarks() {
  const client = useQueryClient();
  const orgId = useTab().organisation.id;
  const show = (chats: Chats) => {
    for (const chat of chats) showMarked(client, orgId, chat);
  };
  const write = async (
    chats: Chats,
    marks: Marks & { readonly unread?: boolean },
    asBefore: (chat: Conversation) => Conversation,
  ): Promise<Left[]> => {
    const body = { conversationIds: chats.map(({ id }) => id), ...marks };
    try {
      const { results } = await api('PUT /api/chat/conversation-marks', { orgId, body, retries: 3 });
      return chats.flatMap((chat) => {
        const code = results.find(({ conversationId }) => conversationId === chat.id)?.code ?? null;
        if (code === null) return [];
        // The chat was deleted on another device meanwhile.
        if (code === 'chat.conversation-not-found') removeConversation(client, orgId, chat.id);
        else show([asBefore(chat)]);
        return [{ chat, error: toProblem(409, JSON.stringify({ code })) }];
      });
    } catch (error) {
      show(chats.map(asBefore));
      return chats.map((chat) => ({ chat, error }));
    }
  };
  return { show, write };
}

/**
 * Pins or archives many chats, or undoes that. Shows the change immediately. If the server refuses some chats, shows
 * those as before, names them in a toast, and returns them.
 */
export function useMarkMany() {
  const { t } = useText();
  const tell = useTellOutcome();
  const { show, write } = useWriteMarks();
  const undo = async (chats: Chats, marks: Marks) => {
    show(chats);
    const all = waysBack(chats).map((way) => write(way.chats, way.marks, (chat) => marked(chat, marks)));
    tell({ text: null, left: (await Promise.all(all)).flat() });
  };
  const textOf = (marks: Marks, count: number) =>
    marks.archived
      ? t(
          {
            id: 'many.done.archived',
            defaultMessage: '{count, plural, one {# chat archived.} other {# chats archived.}}',
          },
          { count },
        )
      : marks.pinned
        ? t(
            { id: 'many.done.pinned', defaultMessage: '{count, plural, one {# chat pinned.} other {# chats pinned.}}' },
            { count },
          )
        : t(
            {
              id: 'many.done.unpinned',
              defaultMessage: '{count, plural, one {# chat unpinned.} other {# chats unpinned.}}',
            },
            { count },
          );
  return async (chats: Chats, marks: Marks): Promise<Chats> => {
    show(chats.map((chat) => marked(chat, marks)));
    const left = await write(chats, marks, (chat) => chat);
    const done = chats.filter((chat) => !left.some((one) => one.chat === chat));
    if (done.length === 0) return tell({ text: null, left });
    return tell({ text: textOf(marks, done.length), left, undo: () => void undo(done, marks) });
  };
}
