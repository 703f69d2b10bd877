import { queryOptions } from '@tanstack/react-query';
import type { Organisation } from '@parley/contracts';
import { firstOrganisations, takeOrganisations } from '../../domain/organisation/early.ts';
import { api } from '../../lib/http.ts';
import { resourceKey } from '../../lib/query-keys.ts';

/** All of mine: few enough to hold, and the switcher needs each. */
export const organisationsQuery = queryOptions({
  queryKey: resourceKey('organisations', null, 'all'),
  queryFn: async ({ signal }) => {
    let page = await takeOrganisations(signal);
    const items: Organisation[] = [...page.items];
    while (page.nextCursor) {
      const query = { ...firstOrganisations.query, cursor: page.nextCursor };
      page = await api('GET /api/org/organisations', { query, signal });
      items.push(...page.items);
    }
    return { items };
  },
  staleTime: 60_000,
});
