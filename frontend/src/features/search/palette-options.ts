import type { Conversation, ConversationId, SearchHit } from '@parley/contracts';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { MessageSquare, MessageSquareText, type LucideIcon } from 'lucide-react';
import { api } from '../../lib/http.ts';
import { resourceKey } from '../../lib/query-keys.ts';
import { useTab } from '../../lib/tab-organisation.tsx';
import { listQuery } from '../../lib/use-list.ts';

export const groups = ['do', 'chats', 'settings', 'messages'] as const;
export type Group = (typeof groups)[number];

/** Something to do at once, or a page to go to; what has a path can be opened in a new tab too. */
export type Entry = { key: string; group: 'do' | 'settings'; label: string; icon: LucideIcon } & (
  | { path: string; run?: never }
  | { path?: never; run: () => void }
);
export type Option = {
  key: string;
  group: Group;
  label: string;
  icon: LucideIcon;
  path?: string;
  run?: () => void;
  /** Of a chat: when something last happened in it. */ at?: string;
  hit?: SearchHit;
};
type Places = {
  readonly pathOfChat: (conversation: ConversationId) => string;
  readonly pathOfMessage: (conversation: ConversationId, messageId: string) => string;
};

const pauseMs = 150;
const mostRecent = 6;
const chatsRoute = 'GET /api/chat/conversations';

/** What fits the words, in the order of its groups: without any, all acts and pages and the chats of late. */
export function useOptions(text: string, entries: readonly Entry[], places: Places) {
  const orgId = useTab().organisation.id;
  const chats = useChats(text);
  const [wanted] = useDebouncedValue(text, pauseMs);
  const { data, error, isFetching } = useQuery({
    queryKey: resourceKey('search', orgId, wanted),
    queryFn: ({ signal }) => api('GET /api/chat/search', { orgId, query: { q: wanted, limit: 20 }, signal }),
    enabled: wanted !== '',
    placeholderData: keepPreviousData,
    staleTime: 10_000,
  });
  const hits: Option[] =
    text === ''
      ? []
      : (data?.items ?? []).map((hit) => ({
          key: hit.messageId,
          group: 'messages',
          label: hit.conversationTitle,
          icon: MessageSquareText,
          path: places.pathOfMessage(hit.conversationId, hit.messageId),
          hit,
        }));
  const fitting: Option[] = [
    ...entries.filter(({ label }) => isIn(text, label)),
    ...chats.map(({ id, title, lastActivityAt }): Option => {
      const path = places.pathOfChat(id);
      return { key: id, group: 'chats', label: title, icon: MessageSquare, path, at: lastActivityAt };
    }),
    ...hits,
  ];
  const state: 'idle' | 'searching' | 'done' =
    text === '' ? 'idle' : isFetching || wanted !== text ? 'searching' : 'done';
  return { options: groups.flatMap((group) => fitting.filter((option) => option.group === group)), state, error };
}

const isIn = (words: string, text: string): boolean => text.toLocaleLowerCase().includes(words.toLocaleLowerCase());

/** The chats of late; with words, those of the sidebar's list whose titles have them. */
function useChats(words: string): readonly Conversation[] {
  const orgId = useTab().organisation.id;
  const client = useQueryClient();
  const known = client.getQueryData(listQuery(chatsRoute, orgId).queryKey)?.pages.flatMap(({ items }) => items);
  const { data: recent } = useQuery({
    queryKey: resourceKey('conversations', orgId, 'recent'),
    queryFn: ({ signal }) => api(chatsRoute, { orgId, query: { limit: mostRecent }, signal }),
    staleTime: 0,
  });
  const all = known ?? recent?.items ?? [];
  return all.filter(({ title }) => isIn(words, title)).slice(0, mostRecent);
}
