import { infiniteQueryOptions, type InfiniteData, type QueryClient } from '@tanstack/react-query';
import type { Conversation, ConversationId, OrgId, ResponseOf, listConversations } from '@parley/contracts';
import { pathOf, request } from '../../../lib/http.ts';
import { orgKey } from '../../../lib/tab-organisation.tsx';

type Page = ResponseOf<typeof listConversations>;
type Pages = InfiniteData<Page, string | null>;
const path = '/api/chat/conversations/:conversationId';
const listKey = (orgId: OrgId) => orgKey(orgId, 'conversations');

export const conversationListQuery = (orgId: OrgId) =>
  infiniteQueryOptions({
    queryKey: listKey(orgId),
    queryFn: ({ pageParam, signal }) =>
      request<Page>('/api/chat/conversations', { orgId, query: { cursor: pageParam ?? undefined }, signal }),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.nextCursor,
    staleTime: Infinity,
  });

export const fetchConversation = (orgId: OrgId, conversationId: ConversationId) =>
  request<Conversation>(pathOf(path, { conversationId }), { orgId });

export const patchTitle = (orgId: OrgId, { id, version }: Conversation, title: string) =>
  request<Conversation>(pathOf(path, { conversationId: id }), { method: 'PATCH', orgId, body: { version, title } });

export const deleteConversation = (orgId: OrgId, conversationId: ConversationId) =>
  request<void>(pathOf(path, { conversationId }), { method: 'DELETE', orgId, retries: 3 });

export const restoreConversation = (orgId: OrgId, conversationId: ConversationId) =>
  request<Conversation>(`${pathOf(path, { conversationId })}/restore`, { method: 'POST', orgId, retries: 3 });

/** Puts a conversation at its place in the loaded list. */
export function placeConversation(client: QueryClient, orgId: OrgId, conversation: Conversation): void {
  client.setQueryData<Pages>(listKey(orgId), (pages) => {
    if (!pages) return pages;
    const known = findIn(pages, conversation.id);
    if (known && known.version > conversation.version) return pages;
    if (known && known.lastActivityAt === conversation.lastActivityAt)
      return mapItems(pages, (item) => (item.id === conversation.id ? conversation : item));
    const [first, ...rest] = without(pages, conversation.id).pages;
    if (!first) return pages;
    const items = [...first.items, conversation].sort((a, b) => b.lastActivityAt.localeCompare(a.lastActivityAt));
    return { ...pages, pages: [{ ...first, items }, ...rest] };
  });
}

export function removeConversation(client: QueryClient, orgId: OrgId, id: ConversationId): void {
  client.setQueryData<Pages>(listKey(orgId), (pages) => pages && without(pages, id));
}

export function markRunning(
  client: QueryClient,
  orgId: OrgId,
  { id, running }: Pick<Conversation, 'id' | 'running'>,
): void {
  client.setQueryData<Pages>(listKey(orgId), (pages) => {
    const known = pages && findIn(pages, id);
    return !known || known.running === running
      ? pages
      : mapItems(pages, (item) => (item.id === id ? { ...item, running } : item));
  });
}

export function knownConversation(client: QueryClient, orgId: OrgId, id: ConversationId): Conversation | undefined {
  const pages = client.getQueryData<Pages>(listKey(orgId));
  return pages && findIn(pages, id);
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
