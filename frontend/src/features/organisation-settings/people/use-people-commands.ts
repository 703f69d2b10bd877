import type { Invitation, Member } from '@parley/contracts';
import { useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { api, isProblem } from '../../../lib/http.ts';
import { resourceKey } from '../../../lib/query-keys.ts';
import { useTab } from '../../../lib/tab-organisation.tsx';
import { useErrorToast } from '../../../ui/error-toast.ts';

/** How it stands now, where somebody else was faster; null for any other failure. */
export const currentOf = <Thing extends Member | Invitation>(error: unknown): Thing | null =>
  isProblem(error, 'platform.conflict') ? ((error.problem.current as Thing | undefined) ?? null) : null;

/** After a change of one's own: does not wait for the news of it. */
export function useRefreshPeople(): () => Promise<unknown> {
  const client = useQueryClient();
  const orgId = useTab().organisation.id;
  return useCallback(
    () =>
      Promise.all([
        ...(['members', 'invitations', 'seats', 'roles', 'groups'] as const).map((resource) =>
          client.invalidateQueries({ queryKey: resourceKey(resource, orgId) }),
        ),
        // One's own rights stand there: whoever hands over has fewer.
        client.invalidateQueries({ queryKey: resourceKey('organisations', null) }),
      ]),
    [client, orgId],
  );
}

/** What is done at once, without asking: its result stands in the row, a refusal in a toast. */
export function usePeopleCommands() {
  const orgId = useTab().organisation.id;
  const refresh = useRefreshPeople();
  const showError = useErrorToast();
  const done = (act: Promise<unknown>) => void act.catch(showError).then(refresh);
  return {
    resend: ({ id, version }: Invitation) =>
      done(
        api('POST /api/org/invitations/:invitationId/resend', {
          orgId,
          params: { invitationId: id },
          body: { version },
        }),
      ),
    restore: ({ userId, version }: Member) =>
      done(
        api('PUT /api/org/members/:userId/status', { orgId, params: { userId }, body: { version, status: 'active' } }),
      ),
  };
}
