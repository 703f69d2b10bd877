import type { PlatformOrganisation } from '@parley/contracts';
import { useMutation } from '@tanstack/react-query';
import { api } from '../../../lib/http.ts';
import { useProblemText } from '../../../lib/problem-texts.ts';
import { useText } from '../../../lib/text.ts';
import { Note } from '../../../ui/note.tsx';
import { useActionOff } from '../../../ui/stale.tsx';
import classes from '../parts/organisation-settings.module.css';
import { useShowPlatformOrganisation } from './use-platform-organisation.ts';
import platform from './platform.module.css';

/** Approves the organisation, and withdraws that. Each change is saved at once. */
export function ApprovalOption({ organisation }: { organisation: PlatformOrganisation }) {
  const { t } = useText();
  const describe = useProblemText();
  const off = useActionOff();
  const change = useChangeApproval(organisation);
  const { approval } = organisation;
  const isApproved = change.isPending ? change.variables : approval === 'approved';
  return (
    <div className={platform.limit}>
      <label className={classes.check}>
        <input
          type="checkbox"
          checked={isApproved}
          disabled={off !== null || change.isPending}
          onChange={({ currentTarget: { checked } }) => change.mutate(checked)}
        />
        <span>
          {t({ id: 'organisation.platform.approved', defaultMessage: 'Approved' })}
          <span className="p-meta" style={{ display: 'block' }}>
            {t({
              id: 'organisation.platform.approvedAbout',
              defaultMessage:
                'Has turns of its own for answers, syncs and emails. All organisations that aren’t approved share theirs.',
            })}
          </span>
          {approval === 'requested' ? (
            <span className="p-meta" style={{ display: 'block' }}>
              {t({ id: 'organisation.platform.approvalRequested', defaultMessage: 'Its admins asked for approval.' })}
            </span>
          ) : null}
        </span>
      </label>
      {change.error ? (
        <Note kind="danger" isAlert>
          {describe(change.error).text}
        </Note>
      ) : null}
    </div>
  );
}

function useChangeApproval({ id: orgId }: PlatformOrganisation) {
  const show = useShowPlatformOrganisation();
  return useMutation({
    mutationFn: (isApproved: boolean) =>
      api('PUT /api/org/all-organisations/:orgId/approval', { params: { orgId }, body: { isApproved } }),
    onSuccess: show,
  });
}
