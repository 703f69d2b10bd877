import type { OrgId } from '@parley/protocol';
import { useQuery } from '@tanstack/react-query';
import { api } from '../../lib/http.ts';
import { pollEvery } from '../../lib/poll.ts';
import { resourceKey } from '../../lib/query-keys.ts';

/** What waits changes all the time, and no event tells of it. */
const refetchMs = 5_000;

/** How the services do for the organisation, asked again while one looks. */
export function useServiceHealth(orgId: OrgId) {
  return useQuery({
    queryKey: resourceKey('service-health', null, orgId),
    queryFn: ({ signal }) =>
      api('GET /api/monitoring/all-organisations/:orgId/service-health', { params: { orgId }, signal }),
    refetchInterval: pollEvery(refetchMs),
  });
}
