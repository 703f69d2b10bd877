import { Button } from '@mantine/core';
import type { OrgId } from '@parley/protocol';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api } from '../../../lib/http.ts';
import { resourceKey } from '../../../lib/query-keys.ts';
import { useText } from '../../../lib/text.ts';
import { useActionOff } from '../../../ui/stale.tsx';
import { useErrorToast } from '../../../ui/error-toast.ts';
import { useToast } from '../../../ui/toast.tsx';

/** Approves one organisation of the list, which shows it within seconds. */
export function ApproveButton({ orgId, name }: { orgId: OrgId; name: string }) {
  const { t } = useText();
  const off = useActionOff();
  const toast = useToast();
  const showError = useErrorToast();
  const client = useQueryClient();
  const approve = useMutation({
    mutationFn: () =>
      api('PUT /api/org/all-organisations/:orgId/approval', {
        params: { orgId },
        body: { isApproved: true },
        retries: 2,
      }),
    onSuccess: () => {
      toast({ text: t({ id: 'installation.approval.approved', defaultMessage: '{name} approved' }, { name }) });
      void client.invalidateQueries({ queryKey: resourceKey('all-organisations', null) });
    },
    onError: showError,
  });
  return (
    <Button
      variant="default"
      size="xs"
      disabled={approve.isSuccess}
      loading={approve.isPending}
      onClick={() => approve.mutate()}
      {...off}
    >
      {t({ id: 'installation.approval.approve', defaultMessage: 'Approve' })}
      <span className="p-hidden">: {name}</span>
    </Button>
  );
}
