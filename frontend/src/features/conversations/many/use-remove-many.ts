import { useQueryClient } from '@tanstack/react-query';
import type { Conversation } from '@parley/contracts';
import { keepDeletedDays } from '@parley/contracts/names';
import { useLocation, useNavigate } from 'react-router-dom';
import { useFormats } from '../../../lib/formats.ts';
import { api } from '../../../lib/http.ts';
import { usePaths } from '../../../lib/paths.ts';
import { resourceKey } from '../../../lib/query-keys.ts';
import { settleFew } from '../../../lib/settle-few.ts';
import { useTab } from '../../../lib/tab-organisation.tsx';
import { useText } from '../../../lib/text.ts';
import { placeConversation, removeConversation } from '../state/conversation-list.ts';
import { useDrafts } from '../state/drafts-context.tsx';
import { conversationKey } from '../state/messages.ts';
import { outcomeOf, useTellOutcome } from './outcome.tsx';

type Chats = readonly Conversation[];

const dayMs = 86_400_000;
/** The server runs six writes of a person at a time; this leaves room for their other work. */
const mostAtOnce = 4;

/** Deletes many chats; one Undo restores them all. Returns the chats that weren't deleted. */
export function useRemoveMany() {
  const client = useQueryClient();
  const orgId = useTab().organisation.id;
  const drafts = useDrafts();
  const { t } = useText();
  const { date } = useFormats();
  const navigate = useNavigate();
  const { pathname } = useLocation();
  const paths = usePaths();
  const tell = useTellOutcome();
  const one = ({ id }: Conversation) => ({ orgId, params: { conversationId: id }, retries: 3 });
  const refresh = () => client.invalidateQueries({ queryKey: resourceKey('deleted-conversations', orgId) });
  const undo = async (chats: Chats, open: Conversation | undefined) => {
    const results = await settleFew(chats, mostAtOnce, async (chat) => {
      const restored = await api('POST /api/chat/conversations/:conversationId/restore', one(chat));
      drafts.bringBack(chat.id);
      placeConversation(client, orgId, restored);
      void client.invalidateQueries({ queryKey: conversationKey(orgId, chat.id) });
    });
    void refresh();
    const { done, left } = outcomeOf(chats, results);
    if (open && done.includes(open)) void navigate(paths.to('chat/:id', { id: open.id }));
    tell({ text: null, left });
  };
  return async (chats: Chats): Promise<Chats> => {
    const open = chats.find(({ id }) => pathname.endsWith(id));
    if (open) void navigate(paths.to('chat'));
    for (const { id } of chats) removeConversation(client, orgId, id);
    const results = await settleFew(chats, mostAtOnce, (chat) =>
      api('DELETE /api/chat/conversations/:conversationId', one(chat)),
    );
    const { done, left } = outcomeOf(chats, results);
    for (const { id } of done) drafts.drop(id);
    for (const { chat } of left) placeConversation(client, orgId, chat);
    if (done.length === 0) return tell({ text: null, left });
    void refresh();
    const text = t(
      {
        id: 'many.done.deleted',
        defaultMessage:
          '{count, plural, one {# chat deleted. You can restore it until {date}.} other {# chats deleted. You can restore them until {date}.}}',
      },
      { count: done.length, date: date(Date.now() + keepDeletedDays * dayMs) },
    );
    return tell({ text, left, undo: () => void undo(done, open) });
  };
}
