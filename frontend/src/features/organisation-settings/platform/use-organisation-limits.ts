import type { OrganisationLimit } from '@parley/contracts';
import type { OrgId } from '@parley/protocol';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { api } from '../../../lib/http.ts';
import { resourceKey } from '../../../lib/query-keys.ts';

/** No event announces limits, and their use changes all the time. */
const refetchMs = 10_000;
type Call = { readonly params: { readonly orgId: OrgId }; readonly signal?: AbortSignal };
type Change = {
  readonly params: { readonly orgId: OrgId; readonly quota: OrganisationLimit['quota'] };
  readonly body: { readonly ceiling: number | null; readonly seen: number };
};

/** Each service has the limits of what it counts. */
const services = {
  chat: {
    list: (call: Call) => api('GET /api/chat/organisation-limits/:orgId', call),
    set: (change: Change) => api('PUT /api/chat/organisation-limits/:orgId/:quota', change),
  },
  org: {
    list: (call: Call) => api('GET /api/org/organisation-limits/:orgId', call),
    set: (change: Change) => api('PUT /api/org/organisation-limits/:orgId/:quota', change),
  },
  billing: {
    list: (call: Call) => api('GET /api/billing/organisation-limits/:orgId', call),
    set: (change: Change) => api('PUT /api/billing/organisation-limits/:orgId/:quota', change),
  },
  monitoring: {
    list: (call: Call) => api('GET /api/monitoring/organisation-limits/:orgId', call),
    set: (change: Change) => api('PUT /api/monitoring/organisation-limits/:orgId/:quota', change),
  },
  auth: {
    list: (call: Call) => api('GET /api/auth/organisation-limits/:orgId', call),
    set: (change: Change) => api('PUT /api/auth/organisation-limits/:orgId/:quota', change),
  },
};
export type ServiceName = keyof typeof services;
export const limitServices = Object.keys(services) as ServiceName[];
export type ShownLimit = OrganisationLimit & { readonly service: ServiceName };

const keyOf = (orgId: OrgId, service: ServiceName) => resourceKey('all-organisations', null, orgId, 'limits', service);

/** Reads the limits of one service. */
export const useOrganisationLimits = (orgId: OrgId, service: ServiceName) =>
  useQuery({
    queryKey: keyOf(orgId, service),
    queryFn: ({ signal }) => services[service].list({ params: { orgId }, signal }),
    refetchInterval: refetchMs,
  });

/** Sets a limit, null for the default, and shows what has become of it. */
export function useSetLimit(orgId: OrgId) {
  const client = useQueryClient();
  return async ({ service, quota, ceiling: seen }: ShownLimit, ceiling: number | null): Promise<OrganisationLimit> => {
    const set = await services[service].set({ params: { orgId, quota }, body: { ceiling, seen } });
    await client.invalidateQueries({ queryKey: keyOf(orgId, service) });
    return set;
  };
}
