import { Button, TextInput } from '@mantine/core';
import type { PlatformOrganisation } from '@parley/contracts';
import { useMutation } from '@tanstack/react-query';
import { CirclePause, CirclePlay } from 'lucide-react';
import { useState } from 'react';
import { api, isProblem } from '../../../lib/http.ts';
import { useText } from '../../../lib/text.ts';
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx';
import { useActionOff } from '../../../ui/stale.tsx';
import { useErrorToast } from '../../../ui/error-toast.ts';
import { useShowPlatformOrganisation } from './use-platform-organisation.ts';
import classes from './platform.module.css';

type Props = { organisation: PlatformOrganisation };
type Status = { status: 'active' } | { status: 'suspended'; reason: string };
const longestReason = 300;

/** Suspends an organisation, for a reason that its people read, or lets them go on. */
export function SuspendButton({ organisation }: Props) {
  const { t } = useText();
  const showError = useErrorToast();
  const off = useActionOff();
  const [isAsking, setAsking] = useState(false);
  const change = useChangeStatus(organisation);
  if (organisation.suspension)
    return (
      <Button
        variant="default"
        leftSection={<CirclePlay />}
        loading={change.isPending}
        onClick={() => change.mutate({ status: 'active' }, { onError: showError })}
        {...off}
      >
        {t({ id: 'organisation.platform.resume', defaultMessage: 'Resume' })}
      </Button>
    );
  return (
    <>
      <Button
        variant="default"
        className={classes.danger}
        leftSection={<CirclePause />}
        onClick={() => setAsking(true)}
        {...off}
      >
        {t({ id: 'organisation.platform.suspend', defaultMessage: 'Suspend' })}
      </Button>
      {isAsking ? <SuspendDialog organisation={organisation} onClose={() => setAsking(false)} /> : null}
    </>
  );
}

function SuspendDialog({ organisation, onClose }: Props & { onClose: () => void }) {
  const { t } = useText();
  const [reason, setReason] = useState('');
  const [isMissing, setMissing] = useState(false);
  const change = useChangeStatus(organisation);
  const confirm = () => {
    if (reason.trim() === '') return setMissing(true);
    change.mutate({ status: 'suspended', reason: reason.trim() }, { onSuccess: onClose });
  };
  return (
    <ConfirmDialog
      title={t(
        { id: 'organisation.platform.suspendTitle', defaultMessage: 'Suspend {name}?' },
        { name: organisation.name },
      )}
      confirm={t({ id: 'organisation.platform.suspendConfirm', defaultMessage: 'Suspend organisation' })}
      act={change}
      onConfirm={confirm}
      onClose={onClose}
      field={
        <TextInput
          name="reason"
          label={t({ id: 'organisation.reason.label', defaultMessage: 'Reason' })}
          description={t({
            id: 'organisation.platform.suspendReason',
            defaultMessage: 'Its people read it, with your name as the one to ask. It stands in their audit log.',
          })}
          data-autofocus
          dir="auto"
          value={reason}
          maxLength={longestReason}
          error={
            isMissing && reason.trim() === ''
              ? t({ id: 'organisation.reason.missing', defaultMessage: 'Say why, in a few words.' })
              : undefined
          }
          onChange={(event) => setReason(event.currentTarget.value)}
          onKeyDown={(event) => event.key === 'Enter' && !event.nativeEvent.isComposing && confirm()}
        />
      }
    >
      {t(
        {
          id: 'organisation.platform.suspendText',
          defaultMessage:
            '{count, plural, =0 {Nobody is in it yet.} one {# person is out within a second: pages close, answers that are being written end.} other {# people are out within a second: pages close, answers that are being written end.}} Nothing is deleted, and you can resume it at any time.',
        },
        { count: organisation.members.active },
      )}
    </ConfirmDialog>
  );
}

/** Where another admin was faster, what they made of it is shown. */
function useChangeStatus({ id: orgId, version }: PlatformOrganisation) {
  const show = useShowPlatformOrganisation();
  return useMutation({
    mutationFn: (status: Status) =>
      api('PUT /api/org/all-organisations/:orgId/status', { params: { orgId }, body: { version, ...status } }),
    onSuccess: show,
    onError: (error) =>
      isProblem(error, 'platform.conflict') ? show(error.problem.current as PlatformOrganisation) : undefined,
  });
}
