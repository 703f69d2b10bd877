import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { OrgId, ResponseOf, searchMessages } from '@parley/contracts';
import { request } from '../../../lib/http.ts';
import { orgKey } from '../../../lib/tab-organisation.tsx';

type Hits = ResponseOf<typeof searchMessages>;

export const searchQuery = (orgId: OrgId, q: string) =>
  queryOptions({
    queryKey: orgKey(orgId, 'search', q),
    queryFn: ({ signal }) => request<Hits>('/api/chat/search', { orgId, query: { q, limit: 20 }, signal }),
    enabled: q !== '',
    placeholderData: keepPreviousData,
    staleTime: 10_000,
  });
