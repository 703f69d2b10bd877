import type { Conversation, ConversationId, Document, Member, SearchHit } from '@parley/contracts';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { FileText, MessageSquare, MessageSquareText, UserRound, type LucideIcon } from 'lucide-react';
import { api } from '../../lib/http.ts';
import { resourceKey } from '../../lib/query-keys.ts';
import { useTab } from '../../lib/tab-organisation.tsx';
import { listQuery } from '../../lib/use-list.ts';

export const groups = ['do', 'chats', 'documents', 'people', 'settings', 'messages'] as const;
export type Group = (typeof groups)[number];

/** Something to do at once, or a page or its tab to go to; what has a path can be opened in a new tab too. */
export type Entry = {
  key: string;
  group: 'do' | 'settings';
  label: string;
  icon: LucideIcon;
  /** The page of a tab, by name; its words are searched, too. */
  about?: string;
  /** Without words it isn't listed. */
  isOnlyFound?: boolean;
} & ({ path: string; run?: never } | { path?: never; run: () => void });
export type Option = {
  key: string;
  group: Group;
  label: string;
  icon: LucideIcon;
  about?: string;
  path?: string;
  run?: () => void;
  /** Of a chat: when something last happened in it. */ at?: string;
  hit?: SearchHit;
};
/** The addresses of what is found; null for what the person can't open, which isn't searched. */
export type Places = {
  readonly chat: (conversation: ConversationId) => string;
  readonly message: (conversation: ConversationId, messageId: string) => string;
  readonly document: ((document: Document) => string) | null;
  readonly member: ((member: Member) => string) | null;
};

const pauseMs = 150;
const mostRecent = 6;
const mostFound = 5;
const chatsRoute = 'GET /api/chat/conversations';

/** What fits the words, in the order of its groups: without any, all acts and pages and the chats of late. */
export function useOptions(text: string, entries: readonly Entry[], places: Places) {
  const chats = useChats(text);
  const [wanted] = useDebouncedValue(text, pauseMs);
  const { found, error, isFetching } = useFound(wanted, places);
  const fitting: Option[] = [
    ...entries.filter(({ label, about = '', isOnlyFound = false }) =>
      text === '' ? !isOnlyFound : hasWords(text, `${label} ${about}`),
    ),
    ...chats.map(({ id, title, lastActivityAt }): Option => {
      const path = places.chat(id);
      return { key: id, group: 'chats', label: title, icon: MessageSquare, path, at: lastActivityAt };
    }),
    // A chat whose title has the words is listed once, and not again with each of its messages.
    ...(text === '' ? [] : found.filter(({ hit }) => !chats.some(({ id }) => id === hit?.conversationId))),
  ];
  const state: 'idle' | 'searching' | 'done' =
    text === '' ? 'idle' : isFetching || wanted !== text ? 'searching' : 'done';
  return { options: groups.flatMap((group) => fitting.filter((option) => option.group === group)), state, error };
}

/** Asks the server for documents, people and messages that the person can open. */
function useFound(words: string, places: Places) {
  const orgId = useTab().organisation.id;
  const asked = { placeholderData: keepPreviousData, staleTime: 10_000 };
  const documents = useQuery({
    ...asked,
    queryKey: resourceKey('documents', orgId, 'search', words),
    queryFn: ({ signal }) =>
      api('GET /api/chat/documents', { orgId, query: { name: words, limit: mostFound }, signal }),
    enabled: isAsked(words) && places.document !== null,
  });
  const people = useQuery({
    ...asked,
    queryKey: resourceKey('members', orgId, 'search', words),
    queryFn: ({ signal }) => api('GET /api/org/members', { orgId, query: { text: words, limit: mostFound }, signal }),
    enabled: isAsked(words) && places.member !== null,
  });
  const messages = useQuery({
    ...asked,
    queryKey: resourceKey('search', orgId, words),
    queryFn: ({ signal }) => api('GET /api/chat/search', { orgId, query: { q: words, limit: 20 }, signal }),
    enabled: words !== '',
  });
  const queries = [documents, people, messages];
  const found: Option[] = [
    ...(documents.data?.items ?? []).map((document): Option => {
      const path = places.document?.(document) ?? '';
      return { key: document.id, group: 'documents', label: document.name, icon: FileText, path };
    }),
    ...(people.data?.items ?? []).map((member): Option => {
      const { userId, name, email } = member;
      const path = places.member?.(member) ?? '';
      return { key: userId, group: 'people', label: name, icon: UserRound, path, ...(email && { about: email }) };
    }),
    ...(messages.data?.items ?? []).map((hit): Option => {
      const path = places.message(hit.conversationId, hit.messageId);
      return {
        key: hit.messageId,
        group: 'messages',
        label: hit.conversationTitle,
        icon: MessageSquareText,
        path,
        hit,
      };
    }),
  ];
  return {
    found,
    error: queries.find(({ error }) => error)?.error ?? null,
    isFetching: queries.some((query) => query.isFetching),
  };
}

/** The filters of these lists take no more. */
const isAsked = (words: string): boolean => words !== '' && words.length <= 100;

/** Says whether each word is somewhere in the text. */
function hasWords(words: string, text: string): boolean {
  const lower = text.toLocaleLowerCase();
  return words
    .toLocaleLowerCase()
    .split(/\s+/)
    .every((word) => lower.includes(word));
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
