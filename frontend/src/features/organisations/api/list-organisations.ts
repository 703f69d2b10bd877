import { queryOptions } from '@tanstack/react-query';
import type { BodyOf, OrgId, Organisation, ResponseOf, createOrganisation, listOrganisations } from '@parley/contracts';
import { request } from '../../../lib/http.ts';
import { organisationsKey } from '../../../lib/tab-organisation.tsx';

type Page = ResponseOf<typeof listOrganisations>;

/** All of mine, by name: few enough to hold, and the switcher needs each. */
export const organisationsQuery = queryOptions({
  queryKey: organisationsKey,
  queryFn: async ({ signal }) => {
    const items: Organisation[] = [];
    let cursor: string | undefined;
    do {
      const page: Page = await request<Page>('/api/org/organisations', { query: { limit: 100, cursor }, signal });
      items.push(...page.items);
      cursor = page.nextCursor ?? undefined;
    } while (cursor);
    return { items };
  },
  staleTime: 60_000,
});

export const postOrganisation = (body: BodyOf<typeof createOrganisation>) => request<Organisation>('/api/org/organisations', { method: 'POST', body, retries: 2 });

export const putDefaultOrganisation = (orgId: OrgId) => request<void>('/api/auth/sessions/current/default-organisation', { method: 'PUT', body: { orgId }, retries: 2 });
