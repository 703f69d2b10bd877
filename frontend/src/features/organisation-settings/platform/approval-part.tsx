import { Button } from '@mantine/core';
import type { PlatformOrganisation } from '@parley/contracts';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../../lib/http.ts';
import { useText } from '../../../lib/text.ts';
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx';
import { Status } from '../../../ui/list-table.tsx';
import { ErrorNote } from '../../../ui/error-note.tsx';
import { useActionOff } from '../../../ui/stale.tsx';
import { useShowPlatformOrganisation } from './use-platform-organisation.ts';
import classes from './platform.module.css';

type Props = { organisation: PlatformOrganisation };

/** Says whether the organisation is approved and what that means; approves it, or withdraws that after asking. */
export function ApprovalPart({ organisation }: Props) {
  const { t } = useText();
  const { approval } = organisation;
  return (
    <div className={classes.limit}>
      {approval === 'approved' ? <Approved organisation={organisation} /> : <Unapproved organisation={organisation} />}
      <p className="p-meta">
        {t({
          id: 'organisation.platform.approvedAbout',
          defaultMessage:
            'An approved organisation has turns of its own for answers, syncs and emails. All organisations that aren’t approved share theirs.',
        })}{' '}
        {approval === 'requested'
          ? t({ id: 'organisation.platform.approvalRequested', defaultMessage: 'Its admins asked for approval.' })
          : null}
      </p>
    </div>
  );
}

function Unapproved({ organisation }: Props) {
  const { t } = useText();
  const off = useActionOff();
  const change = useChangeApproval(organisation);
  return (
    <>
      <div className={`p-sm ${classes.line}`}>
        <Status kind={organisation.approval === 'requested' ? 'new' : 'off'}>
          {t({ id: 'organisation.platform.unapproved', defaultMessage: 'Not approved' })}
        </Status>
        <Button variant="default" size="xs" loading={change.isPending} onClick={() => change.mutate(true)} {...off}>
          {t({ id: 'organisation.platform.approve', defaultMessage: 'Approve' })}
        </Button>
      </div>
      <ErrorNote error={change.error} />
    </>
  );
}

function Approved({ organisation }: Props) {
  const { t } = useText();
  const off = useActionOff();
  const [isAsking, setAsking] = useState(false);
  return (
    <div className={`p-sm ${classes.line}`}>
      <Status kind="ok">{t({ id: 'organisation.platform.approved', defaultMessage: 'Approved' })}</Status>
      <Button variant="default" size="xs" onClick={() => setAsking(true)} {...off}>
        {t({ id: 'organisation.platform.withdrawApproval', defaultMessage: 'Withdraw approval' })}
      </Button>
      {isAsking ? <WithdrawDialog organisation={organisation} onClose={() => setAsking(false)} /> : null}
    </div>
  );
}

function WithdrawDialog({ organisation, onClose }: Props & { onClose: () => void }) {
  const { t } = useText();
  const change = useChangeApproval(organisation);
  return (
    <ConfirmDialog
      title={t(
        { id: 'organisation.platform.withdrawTitle', defaultMessage: 'Withdraw the approval of {name}?' },
        { name: organisation.name },
      )}
      confirm={t({ id: 'organisation.platform.withdrawApproval', defaultMessage: 'Withdraw approval' })}
      act={change}
      onConfirm={() => change.mutate(false, { onSuccess: onClose })}
      onClose={onClose}
    >
      {t({
        id: 'organisation.platform.withdrawText',
        defaultMessage:
          'While Parley is busy, its answers, syncs and emails can take longer: it shares its turns with all other organisations that aren’t approved. You can approve it again at any time.',
      })}
    </ConfirmDialog>
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
