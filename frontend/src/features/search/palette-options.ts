import type { Conversation, ConversationId, Document, Member, Project, ProjectId, SearchHit } from '@parley/contracts';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query';
import {
  FileText,
  Filter,
  Folder,
  History,
  MessageSquare,
  MessageSquareText,
  UserRound,
  type LucideIcon,
} from 'lucide-react';
import { useMemo } from 'react';
import { api } from '../../lib/http.ts';
import { resourceKey } from '../../lib/query-keys.ts';
import { useTab } from '../../lib/tab-organisation.tsx';
import { useText } from '../../lib/text.ts';
import type { Pages } from '../../lib/use-list.ts';
import { askedOf, isBeingTyped, useCompletions, useSearchZone } from './search-completions.ts';

export const groups = ['filters', 'do', 'projects', 'chats', 'documents', 'people', 'settings', 'messages'] as const;
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
  /** Acts while the palette stays open. */
  stay?: () => void;
  /** Of a chat: when something last happened in it. */ at?: string;
  hit?: SearchHit;
};
/** The addresses of what is found; null for what the person can't open, which isn't searched. */
export type Places = {
  readonly chat: (conversation: ConversationId) => string;
  readonly project: (project: ProjectId) => string;
  readonly message: (conversation: ConversationId, messageId: string) => string;
  readonly document: ((document: Document) => string) | null;
  readonly member: ((member: Member) => string) | null;
};

const pauseMs = 150;
const mostRecent = 6;
/** Chats of late whose titles are looked at, whatever their project. */
const mostLooked = 50;
const mostFound = 5;
const chatsRoute = 'GET /api/chat/conversations';

type Typed = { readonly text: string; readonly complete: (text: string) => void };
type Known = { readonly entries: readonly Entry[]; readonly places: Places; readonly projects: readonly Project[] };

/**
 * Lists what fits the words, in the order of its groups; without words all acts and pages, and the latest chats. Operators
 * narrow messages, so with one only messages are listed.
 */
export function useOptions({ text: typed, complete }: Typed, { entries, places, projects }: Known) {
  const { t } = useText();
  const text = typed.trim();
  const names = useMemo(() => projects.map(({ name }) => name), [projects]);
  const completions = useCompletions(typed, names);
  const { hasOperators } = askedOf(text);
  const chats = useChats(text);
  const [wanted] = useDebouncedValue(text, pauseMs);
  const { found, ignored, error, isFetching, isFilling } = useFound(wanted, places);
  const others: Option[] = [
    ...entries.filter(({ label, about = '', isOnlyFound = false }) =>
      text === '' ? !isOnlyFound : hasWords(text, `${label} ${about}`),
    ),
    ...(text === '' ? [] : projects.filter(({ name }) => isIn(text, name)).slice(0, mostFound)).map(
      ({ id, name, archived }): Option => ({
        key: id,
        group: 'projects',
        label: name,
        icon: Folder,
        path: places.project(id),
        ...(archived && { about: t({ id: 'search.project.archived', defaultMessage: 'Archived' }) }),
      }),
    ),
    ...chats.map(({ id, title, lastActivityAt }): Option => {
      const path = places.chat(id);
      return { key: id, group: 'chats', label: title, icon: MessageSquare, path, at: lastActivityAt };
    }),
  ];
  const isListed = (hit: SearchHit | undefined) => !hasOperators && chats.some(({ id }) => id === hit?.conversationId);
  const fitting: Option[] = [
    ...completions.map(({ text: completed, operator, about }): Option => {
      const stay = () => complete(completed);
      return { key: operator, group: 'filters', label: operator, icon: Filter, about, stay };
    }),
    ...(hasOperators ? [] : others),
    // A chat whose title has the words is listed once, and not again with each of its messages.
    ...(text === '' ? [] : found.filter(({ hit }) => !isListed(hit))),
  ];
  const state: 'idle' | 'searching' | 'done' =
    text === '' ? 'idle' : isFetching || wanted !== text ? 'searching' : 'done';
  const wrong = state === 'idle' ? [] : ignored.filter((one) => !isBeingTyped(typed, one, completions));
  const options = groups.flatMap((group) => fitting.filter((option) => option.group === group));
  // A word that may become an operator is a word so far: what is found by it comes first.
  const first = hasOperators || options.length === completions.length ? 0 : completions.length;
  return { options, first, state, error, wrong, isFilling: state !== 'idle' && isFilling };
}

/** Asks the server for documents, people and messages that the person can open. */
function useFound(words: string, places: Places) {
  const orgId = useTab().organisation.id;
  const { t } = useText();
  const { hasOperators } = askedOf(words);
  const asked = { placeholderData: keepPreviousData, staleTime: 10_000 };
  const documents = useQuery({
    ...asked,
    queryKey: resourceKey('documents', orgId, 'search', words),
    queryFn: ({ signal }) =>
      api('GET /api/chat/documents', { orgId, query: { name: words, limit: mostFound }, signal }),
    enabled: !hasOperators && isAsked(words) && places.document !== null,
  });
  const people = useQuery({
    ...asked,
    queryKey: resourceKey('members', orgId, 'search', words),
    queryFn: ({ signal }) => api('GET /api/org/members', { orgId, query: { text: words, limit: mostFound }, signal }),
    enabled: !hasOperators && isAsked(words) && places.member !== null,
  });
  const messages = useMessages(words);
  const queries = [documents, people, messages];
  const pages = messages.data?.pages ?? [];
  const last = pages.at(-1);
  const goOn = t({ id: 'search.more.label', defaultMessage: 'Search older messages' });
  const readOn = () => void messages.fetchNextPage();
  const found: Option[] = [
    ...((hasOperators ? null : documents.data?.items) ?? []).map((document): Option => {
      const path = places.document?.(document) ?? '';
      return { key: document.id, group: 'documents', label: document.name, icon: FileText, path };
    }),
    ...((hasOperators ? null : people.data?.items) ?? []).map((member): Option => {
      const { userId, name, email } = member;
      const path = places.member?.(member) ?? '';
      return { key: userId, group: 'people', label: name, icon: UserRound, path, ...(email && { about: email }) };
    }),
    ...pages
      .flatMap(({ items }) => items)
      .map((hit): Option => {
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
    ...(last?.goesOn ? [{ key: 'go-on', group: 'messages', label: goOn, icon: History, stay: readOn } as const] : []),
  ];
  return {
    found,
    ignored: last?.ignored ?? [],
    isFilling: last?.isFilling === true,
    error: queries.find(({ error }) => error)?.error ?? null,
    isFetching: queries.some((query) => query.isFetching),
  };
}

/** Page by page: a page may end before it has looked at all messages. */
function useMessages(words: string) {
  const orgId = useTab().organisation.id;
  const zone = useSearchZone();
  return useInfiniteQuery({
    placeholderData: keepPreviousData,
    staleTime: 10_000,
    queryKey: resourceKey('search', orgId, words),
    queryFn: ({ pageParam, signal }) => {
      const query = { q: words, zone, limit: 20, ...(pageParam !== null && { cursor: pageParam }) };
      return api('GET /api/chat/search', { orgId, query, signal });
    },
    initialPageParam: null as string | null,
    getNextPageParam: ({ nextCursor, goesOn }) => (goesOn ? nextCursor : null),
    enabled: words !== '',
  });
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

/** The chats of late; with words, those of the loaded lists and of late whose titles have them. */
function useChats(words: string): readonly Conversation[] {
  const orgId = useTab().organisation.id;
  const client = useQueryClient();
  const lists = client.getQueriesData<Pages<typeof chatsRoute>>({
    queryKey: resourceKey('conversations', orgId, 'list'),
  });
  const { data: recent } = useQuery({
    queryKey: resourceKey('conversations', orgId, 'recent'),
    queryFn: ({ signal }) => api(chatsRoute, { orgId, query: { limit: mostLooked }, signal }),
    staleTime: 0,
  });
  const loaded = lists.flatMap(([, pages]) => pages?.pages.flatMap(({ items }) => items) ?? []);
  const all = new Map([...(recent?.items ?? []), ...loaded].map((chat) => [chat.id, chat]));
  return [...all.values()]
    .filter(({ title, archived }) => !archived && isIn(words, title))
    .sort((a, b) => b.lastActivityAt.localeCompare(a.lastActivityAt))
    .slice(0, mostRecent);
}
