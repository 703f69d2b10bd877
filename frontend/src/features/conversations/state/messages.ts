import type { ConversationId, MessageId } from '@parley/contracts';
import type { OrgId } from '@parley/protocol';
import { api, isProblem, type Answer, type Call } from '../../../lib/http.ts';
import { resourceKey } from '../../../lib/query-keys.ts';

const route = 'GET /api/chat/conversations/:conversationId/path';

export const conversationKey = (orgId: OrgId, conversationId: ConversationId) =>
  resourceKey('messages', orgId, conversationId);

export type Place = { readonly orgId: OrgId; readonly conversationId: ConversationId };

export const fetchPath = (
  { orgId, conversationId }: Place,
  query: Call<typeof route>['query'],
  signal?: AbortSignal,
): Promise<Answer<typeof route>> => api(route, { orgId, params: { conversationId }, query, signal });

/**
 * Stores the person's reading position, even if another device has moved it meanwhile. Returns the position's version.
 */
export async function keepPlace(
  place: Place,
  body: { readonly through: MessageId; readonly version: number },
): Promise<number> {
  const { orgId, conversationId } = place;
  const move = (version: number) =>
    api('PUT /api/chat/conversations/:conversationId/place', {
      orgId,
      params: { conversationId },
      body: { ...body, version },
      retries: 3,
    });
  try {
    return (await move(body.version)).version;
  } catch (error) {
    if (!isProblem(error, 'platform.conflict')) throw error;
    return (await move((await fetchPath(place, { limit: 1 })).placeVersion)).version;
  }
}

/** The last unfinished move of the person's reading position in each chat. */
const moves = new Map<ConversationId, Promise<void>>();

/**
 * Moves the reading position of a chat by one request at a time, because each needs the version that the previous one
 * created.
 */
export async function inTurn(
  { conversationId }: Pick<Place, 'conversationId'>,
  move: () => Promise<void>,
): Promise<void> {
  const last = moves.get(conversationId) ?? Promise.resolve();
  const next = last.catch(() => undefined).then(move);
  moves.set(conversationId, next);
  try {
    await next;
  } finally {
    if (moves.get(conversationId) === next) moves.delete(conversationId);
  }
}
