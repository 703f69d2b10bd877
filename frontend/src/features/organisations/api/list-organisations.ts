import { queryOptions } from '@tanstack/react-query';
import type { BodyOf, OrgId, Organisation, ResponseOf, createOrganisation, listOrganisations } from '@parley/contracts';
import { request } from '../../../lib/http.ts';
import { organisationsPath, takeEarly } from '../../../lib/early.ts';
import { organisationsKey } from '../../../lib/tab-organisation.tsx';

type Page = ResponseOf<typeof listOrganisations>;

/** All of mine, by name: few enough to hold, and the switcher needs each. */
export const organisationsQuery = queryOptions({
  queryKey: organisationsKey,
  queryFn: async ({ signal }) => {
    let page = await takeEarly<Page>(organisationsPath, signal);
    const items: Organisation[] = [...page.items];
    while (page.nextCursor) {
      page = await request<Page>(organisationsPath, { query: { cursor: page.nextCursor }, signal });
      items.push(...page.items);
    }
    return { items };
  },
  staleTime: 60_000,
});

export const postOrganisation = (body: BodyOf<typeof createOrganisation>) =>
  request<Organisation>('/api/org/organisations', { method: 'POST', body, retries: 2 });

export const putDefaultOrganisation = (orgId: OrgId) =>
  request<void>('/api/auth/sessions/current/default-organisation', { method: 'PUT', body: { orgId }, retries: 2 });
