import type { PlatformOrganisation } from '@parley/contracts';
import { useMutation } from '@tanstack/react-query';
import { api } from '../../../lib/http.ts';
import { useText } from '../../../lib/text.ts';
import { SavedOption } from '../parts/saved-option.tsx';
import { useShowPlatformOrganisation } from './use-platform-organisation.ts';
import platform from './platform.module.css';

/** Approves the organisation, and withdraws that. Each change is saved at once. */
export function ApprovalOption({ organisation }: { organisation: PlatformOrganisation }) {
  const { t } = useText();
  const change = useChangeApproval(organisation);
  const { approval } = organisation;
  const isApproved = change.isPending ? change.variables : approval === 'approved';
  return (
    <div className={platform.limit}>
      <SavedOption
        isOn={isApproved}
        isOff={change.isPending}
        label={t({ id: 'organisation.platform.approved', defaultMessage: 'Approved' })}
        about={
          <>
            {t({
              id: 'organisation.platform.approvedAbout',
              defaultMessage:
                'Has turns of its own for answers, syncs and emails. All organisations that aren’t approved share theirs.',
            })}{' '}
            {approval === 'requested'
              ? t({ id: 'organisation.platform.approvalRequested', defaultMessage: 'Its admins asked for approval.' })
              : null}
          </>
        }
        error={change.error}
        onChange={(wanted) => change.mutate(wanted)}
      />
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
