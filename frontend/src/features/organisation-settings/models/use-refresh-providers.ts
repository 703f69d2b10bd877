import { useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { resourceKey } from '../../../lib/query-keys.ts';
import { useTab } from '../../../lib/tab-organisation.tsx';

/** After a change of one's own: does not wait for the news of it. */
export function useRefreshProviders(): () => Promise<unknown> {
  const client = useQueryClient();
  const orgId = useTab().organisation.id;
  return useCallback(
    () =>
      Promise.all(
        (['providers', 'provider-offers', 'models'] as const).map((resource) =>
          client.invalidateQueries({ queryKey: resourceKey(resource, orgId) }),
        ),
      ),
    [client, orgId],
  );
}
