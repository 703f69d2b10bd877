import type { ReadingService } from '@parley/contracts';
import type { OrgId } from '@parley/protocol';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api } from '../../lib/http.ts';
import { resourceKey } from '../../lib/query-keys.ts';
import { useText } from '../../lib/text.ts';
import { useToast } from '../../ui/toast.tsx';

/** Parked jobs of a kind; without ids all of them. */
export type WhichJobs = { readonly service: ReadingService; readonly kind: string; readonly ids?: string[] };

/** Runs parked jobs again and says how many. */
export function useRunJobs(orgId: OrgId) {
  const { t } = useText();
  const toast = useToast();
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: WhichJobs) =>
      api('POST /api/monitoring/all-organisations/:orgId/parked-jobs/run-again', { params: { orgId }, body }),
    onSuccess: ({ count }) =>
      toast({
        text: t(
          {
            id: 'health.jobs.restarted',
            defaultMessage:
              '{count, plural, =0 {No parked jobs left to run} one {# job runs again} other {# jobs run again}}',
          },
          { count },
        ),
      }),
    onSettled: () => client.invalidateQueries({ queryKey: resourceKey('service-health', null, orgId) }),
  });
}
export type RunJobs = ReturnType<typeof useRunJobs>;
