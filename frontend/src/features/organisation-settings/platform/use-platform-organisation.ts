import type { PlatformOrganisation } from '@parley/contracts';
import type { OrgId } from '@parley/protocol';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { api } from '../../../lib/http.ts';
import { resourceKey } from '../../../lib/query-keys.ts';

/** Nobody's room hears of it: it is read again while somebody looks. */
const refetchMs = 5_000;
const keyOf = (orgId: OrgId) => resourceKey('all-organisations', null, orgId);

/** One organisation as platform admins see it. */
export const usePlatformOrganisation = (orgId: OrgId) =>
  useQuery({
    queryKey: keyOf(orgId),
    queryFn: ({ signal }) => api('GET /api/org/all-organisations/:orgId', { params: { orgId }, signal }),
    refetchInterval: refetchMs,
  });

/** When somebody last asked something in it. */
export const useLastActivity = (orgId: OrgId) =>
  useQuery({
    queryKey: resourceKey('all-organisations', null, orgId, 'activity'),
    queryFn: ({ signal }) => api('GET /api/monitoring/all-organisations/:orgId', { params: { orgId }, signal }),
    refetchInterval: refetchMs,
  }).data?.lastActivityAt;

/** Shows at once what an act has made of it; lists and the own organisations follow. */
export function useShowPlatformOrganisation() {
  const client = useQueryClient();
  return async (organisation: PlatformOrganisation): Promise<void> => {
    client.setQueryData(keyOf(organisation.id), organisation);
    await client.invalidateQueries({ queryKey: resourceKey('organisations', null) });
    void client.invalidateQueries({ queryKey: resourceKey('all-organisations', null) });
  };
}
