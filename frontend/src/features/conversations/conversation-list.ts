import type { QueryClient } from '@tanstack/react-query';
import type { Conversation, ConversationId, OrgId } from '@parley/contracts';
import { api } from '../../lib/http.ts';
import { listQuery, type Pages as PagesOf } from '../../lib/use-list.ts';

const route = 'GET /api/chat/conversations';
type Pages = PagesOf<typeof route>;

export const conversationListKey = (orgId: OrgId) => listQuery(route, orgId).queryKey;

export const fetchConversation = (orgId: OrgId, conversationId: ConversationId): Promise<Conversation> =>
  api('GET /api/chat/conversations/:conversationId', { orgId, params: { conversationId } });

/** Puts a conversation at its place in the loaded list. */
export function placeConversation(client: QueryClient, orgId: OrgId, conversation: Conversation): void {
  client.setQueryData<Pages>(conversationListKey(orgId), (pages) => {
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
  client.setQueryData<Pages>(conversationListKey(orgId), (pages) => pages && without(pages, id));
}

export function markRunning(
  client: QueryClient,
  orgId: OrgId,
  { id, running }: Pick<Conversation, 'id' | 'running'>,
): void {
  client.setQueryData<Pages>(conversationListKey(orgId), (pages) => {
    const known = pages && findIn(pages, id);
    return !known || known.running === running
      ? pages
      : mapItems(pages, (item) => (item.id === id ? { ...item, running } : item));
  });
}

export function knownConversation(client: QueryClient, orgId: OrgId, id: ConversationId): Conversation | undefined {
  const pages = client.getQueryData<Pages>(conversationListKey(orgId));
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
