import { useQuery } from '@tanstack/react-query';
import type { Project } from '@parley/contracts';
import type { OrgId } from '@parley/protocol';
import { api } from '../../lib/http.ts';
import { resourceKey } from '../../lib/query-keys.ts';
import { useTab } from '../../lib/tab-organisation.tsx';

/** Limits one page of the list. A person has at most 200 projects, which are two pages. */
const limit = 100;

/** Reads all own projects that aren't archived, the newest first. */
export function useProjects() {
  const orgId = useTab().organisation.id;
  return useQuery({
    queryKey: resourceKey('projects', orgId, 'all'),
    queryFn: ({ signal }) => readAll(orgId, signal),
    staleTime: 60_000,
  });
}

async function readAll(orgId: OrgId, signal: AbortSignal): Promise<Project[]> {
  const all: Project[] = [];
  for (let cursor: string | undefined; ;) {
    const query = { limit, ...(cursor && { cursor }) };
    const page = await api('GET /api/chat/projects', { orgId, query, signal });
    all.push(...page.items);
    if (page.nextCursor === null) return all;
    cursor = page.nextCursor;
  }
}
