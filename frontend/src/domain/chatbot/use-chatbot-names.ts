import { useQuery } from '@tanstack/react-query';
import { api } from '../../lib/http.ts';
import { resourceKey } from '../../lib/query-keys.ts';
import { useRight, useTab } from '../../lib/tab-organisation.tsx';
import { useChatbots } from './use-chatbots.ts';

/**
 * What the organisation's chatbots are called, by id: all of them for whoever reads what the organisation uses, for others
 * those that they may use. Undefined until it is known.
 */
export function useChatbotNames(): ReadonlyMap<string, string> | undefined {
  const orgId = useTab().organisation.id;
  const [maySeeAll, mayUse] = [useRight('usage:read_org'), useRight('model:use')];
  const all = useQuery({
    queryKey: resourceKey('chatbot-names', orgId),
    queryFn: ({ signal }) => api('GET /api/chat/chatbot-names', { orgId, signal }),
    enabled: maySeeAll,
  });
  const mine = useChatbots({ enabled: !maySeeAll && mayUse });
  const known = maySeeAll ? all.data : mine.data;
  return known && new Map(known.items.map(({ id, name }) => [id, name]));
}
