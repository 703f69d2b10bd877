import { useInfiniteQuery, type QueryClient } from '@tanstack/react-query';
import type { Conversation, ConversationId, ProjectId } from '@parley/contracts';
import type { OrgId } from '@parley/protocol';
import { useLocation } from 'react-router-dom';
import { api } from '../../../lib/http.ts';
import { resourceKey } from '../../../lib/query-keys.ts';
import { useTab } from '../../../lib/tab-organisation.tsx';
import { listQuery, type Pages as PagesOf } from '../../../lib/use-list.ts';

const route = 'GET /api/chat/conversations';
type Pages = PagesOf<typeof route>;

/** Only chats outside of projects: the sidebar lists those of a project with the project. */
export const outsideProjects = { project: 'none' } as const;

export const conversationListKey = (orgId: OrgId) => resourceKey('conversations', orgId, 'list');

type Filters = { readonly only?: 'pinned' | 'archived'; readonly project?: ProjectId | 'none' };

/** Returns whether a chat belongs to a list with these filters. */
const belongs = ({ pinned, archived, projectId }: Conversation, { only, project }: Filters) =>
  (only === 'archived') === (archived === true) &&
  (only !== 'pinned' || pinned === true) &&
  (project === undefined || project === (projectId ?? 'none'));

/**
 * Returns the lists that this page has loaded, except hidden ones that are read again when they are shown: a change
 * would mark them as up to date.
 */
const loadedLists = (client: QueryClient, orgId: OrgId) =>
  client
    .getQueryCache()
    .findAll({ queryKey: conversationListKey(orgId) })
    .filter((query) => query.isActive() || !query.state.isInvalidated)
    .flatMap(({ queryKey: key, state }) => {
      const pages = state.data as Pages | undefined;
      return pages ? [{ key, pages, filters: key.at(-1) as Filters }] : [];
    });

export const fetchConversation = (orgId: OrgId, conversationId: ConversationId): Promise<Conversation> =>
  api('GET /api/chat/conversations/:conversationId', { orgId, params: { conversationId } });

/** Puts a conversation at its position in each loaded list that it belongs to, and removes it from the others. */
export function placeConversation(client: QueryClient, orgId: OrgId, read: Conversation): void {
  const before = knownConversation(client, orgId, read.id);
  if (before && before.version > read.version) return;
  const conversation = before ? withNewer(read, before) : read;
  for (const { key, pages, filters } of loadedLists(client, orgId))
    client.setQueryData<Pages>(
      key,
      belongs(conversation, filters) ? placed(pages, conversation) : without(pages, conversation.id),
    );
}

function placed(pages: Pages, conversation: Conversation): Pages {
  if (findIn(pages, conversation.id)?.lastActivityAt === conversation.lastActivityAt)
    return mapItems(pages, (item) => (item.id === conversation.id ? conversation : item));
  const [first, ...rest] = without(pages, conversation.id).pages;
  if (!first) return pages;
  const items = [...first.items, conversation].sort((a, b) => b.lastActivityAt.localeCompare(a.lastActivityAt));
  return { ...pages, pages: [{ ...first, items }, ...rest] };
}

/**
 * Returns a chat that was just read, but keeps the state of its answer if a socket message, which is newer, has set it.
 */
function withNewer(read: Conversation, { sequence, running, unread = false }: Conversation): Conversation {
  return sequence > read.sequence ? { ...read, sequence, running, unread } : read;
}

export function removeConversation(client: QueryClient, orgId: OrgId, id: ConversationId): void {
  for (const { key, pages } of loadedLists(client, orgId)) client.setQueryData<Pages>(key, without(pages, id));
}

export function markRunning(
  client: QueryClient,
  orgId: OrgId,
  { id, running }: Pick<Conversation, 'id' | 'running'>,
): void {
  changeItem(client, { orgId, id }, (item) => (item.running === running ? item : { ...item, running }));
}

type Moment = Pick<Conversation, 'id' | 'sequence'>;

/** Marks a chat as unread, because an answer ended at this sequence. */
export function markEnded(client: QueryClient, orgId: OrgId, { id, sequence }: Moment): void {
  changeItem(client, { orgId, id }, (item) =>
    item.sequence >= sequence ? item : { ...item, running: false, unread: true, sequence },
  );
}

/** Marks a chat as read up to this sequence, which the reader has seen here or on another device. */
export function markSeen(client: QueryClient, orgId: OrgId, { id, sequence }: Moment): void {
  changeItem(client, { orgId, id }, (item) =>
    item.unread && item.sequence <= sequence ? { ...item, unread: false } : item,
  );
}

function changeItem(
  client: QueryClient,
  { orgId, id }: { orgId: OrgId; id: ConversationId },
  change: (item: Conversation) => Conversation,
): void {
  for (const { key, pages } of loadedLists(client, orgId)) {
    const known = findIn(pages, id);
    const next = known && change(known);
    if (next && next !== known)
      client.setQueryData<Pages>(
        key,
        mapItems(pages, (item) => (item === known ? next : item)),
      );
  }
}

export const isLoaded = (client: QueryClient, orgId: OrgId): boolean => loadedLists(client, orgId).length > 0;

export function knownConversation(client: QueryClient, orgId: OrgId, id: ConversationId): Conversation | undefined {
  for (const { pages } of loadedLists(client, orgId)) {
    const known = findIn(pages, id);
    if (known) return known;
  }
  return undefined;
}

/** Returns a part of a loaded list, updated with the list; fetches nothing itself. */
function useLoadedList<Found>(select: (pages: Pages) => Found, filters: Filters = outsideProjects): Found | undefined {
  const { organisation } = useTab();
  return useInfiniteQuery({ ...listQuery(route, organisation.id, { filters }), enabled: false, select }).data;
}

/** Returns the chat's row in the sidebar's list; undefined if that isn't loaded. */
export const useKnownConversation = (id: ConversationId): Conversation | undefined =>
  useLoadedList((pages) => findIn(pages, id));

/** Returns whether a chat other than the open one is unread, as far as lists are loaded. */
export function useHasUnread(): boolean {
  const { pathname } = useLocation();
  const isUnread = ({ id, unread }: Conversation) => unread === true && !pathname.endsWith(id);
  const hasUnread = (pages: Pages) => pages.pages.some(({ items }) => items.some(isUnread));
  const [outside, anywhere] = [useLoadedList(hasUnread), useLoadedList(hasUnread, {})];
  return outside === true || anywhere === true;
}

const findIn = (pages: Pages, id: ConversationId) =>
  pages.pages.flatMap((page) => page.items).find((item) => item.id === id);
const mapItems = (pages: Pages, change: (item: Conversation) => Conversation): Pages => ({
  ...pages,
  pages: pages.pages.map((page) => ({ ...page, items: page.items.map(change) })),
});
const without = (pages: Pages, id: ConversationId): Pages => ({
  ...pages,
  pages: pages.pages.map((page) => ({ ...page, items: page.items.filter((item) => item.id !== id) })),
});
