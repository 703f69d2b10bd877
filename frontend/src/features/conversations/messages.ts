import type { ConversationId, OrgId } from '@parley/contracts';
import { api, type Answer, type Call } from '../../lib/http.ts';
import { resourceKey } from '../../lib/query-keys.ts';

const route = 'GET /api/chat/conversations/:conversationId/messages';

export const conversationKey = (orgId: OrgId, conversationId: ConversationId) =>
  resourceKey('messages', orgId, conversationId);

export type Place = { orgId: OrgId; conversationId: ConversationId };

export const fetchMessages = (
  { orgId, conversationId }: Place,
  query: Call<typeof route>['query'],
  signal?: AbortSignal,
): Promise<Answer<typeof route>> => api(route, { orgId, params: { conversationId }, query, signal });
