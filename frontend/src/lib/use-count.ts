import type { Permission } from '@parley/contracts';
import type { OrgId } from '@parley/protocol';
import { useQuery } from '@tanstack/react-query';
import { resourceKey } from './query-keys.ts';
import { useRight, useTab } from './tab-organisation.tsx';

type Count = {
  /** The count is read again when the server reports a change of this resource. */
  readonly resource: 'budgets' | 'feedback';
  readonly of: string;
  readonly right: Permission;
  readonly ask: (call: { orgId: OrgId; signal: AbortSignal }) => Promise<number>;
};

/** Returns how many of something there are in the organisation; 0 until it is known, and for people without the right. */
export function useCount({ resource, of, right, ask }: Count): number {
  const orgId = useTab().organisation.id;
  const { data } = useQuery({
    queryKey: resourceKey(resource, orgId, of),
    queryFn: ({ signal }) => ask({ orgId, signal }),
    enabled: useRight(right),
  });
  return data ?? 0;
}
