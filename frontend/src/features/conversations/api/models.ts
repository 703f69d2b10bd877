import { queryOptions } from '@tanstack/react-query';
import type { ChunkId, OrgId, ResponseOf, getPassage, listModels } from '@parley/contracts';
import { pathOf, request } from '../../../lib/http.ts';
import { orgKey } from '../../../lib/tab-organisation.tsx';

export type OfferedModels = ResponseOf<typeof listModels>;

export const modelsQuery = (orgId: OrgId) =>
  queryOptions({
    queryKey: orgKey(orgId, 'models'),
    queryFn: ({ signal }) => request<OfferedModels>('/api/chat/models', { orgId, signal }),
    staleTime: 60_000,
  });

export const passageQuery = (orgId: OrgId, chunkId: ChunkId) =>
  queryOptions({
    queryKey: orgKey(orgId, 'passage', chunkId),
    queryFn: ({ signal }) =>
      request<ResponseOf<typeof getPassage>>(pathOf('/api/chat/passages/:chunkId', { chunkId }), { orgId, signal }),
    staleTime: 60_000,
  });
