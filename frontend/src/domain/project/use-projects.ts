import { useQuery } from '@tanstack/react-query';
import type { Project } from '@parley/contracts';
import type { OrgId } from '@parley/protocol';
import { api } from '../../lib/http.ts';
import { resourceKey } from '../../lib/query-keys.ts';
import { useTab } from '../../lib/tab-organisation.tsx';

/** Limits one page of the list. A person has at most 200 projects, which are two pages. */
const limit = 100;

/** Reads all own projects that aren't archived, or only the archived ones, the newest first. */
export function useProjects(only?: 'archived') {
  const orgId = useTab().organisation.id;
  return useQuery({
    queryKey: resourceKey('projects', orgId, only ?? 'all'),
    queryFn: ({ signal }) => readAll(orgId, only, signal),
    staleTime: 60_000,
  });
}

async function readAll(orgId: OrgId, only: 'archived' | undefined, signal: AbortSignal): Promise<Project[]> {
  const all: Project[] = [];
  for (let cursor: string | undefined; ;) {
    const query = { limit, ...(only && { only }), ...(cursor && { cursor }) };
    const page = await api('GET /api/chat/projects', { orgId, query, signal });
    all.push(...page.items);
    if (page.nextCursor === null) return all;
    cursor = page.nextCursor;
  }
}
