import type { Organisation } from '@parley/contracts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api } from '../../lib/http.ts';
import { resourceKey } from '../../lib/query-keys.ts';
import { useText } from '../../lib/text.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';

/** Asks, for it cannot be undone: coming back needs a new invitation. */
export function LeaveOrganisation({
  organisation,
  onLeft,
  onClose,
}: {
  organisation: Organisation;
  onLeft: () => void;
  onClose: () => void;
}) {
  const { t } = useText();
  const client = useQueryClient();
  const { id: orgId, name } = organisation;
  const leave = useMutation({
    mutationFn: () => api('DELETE /api/org/organisations/:orgId/membership', { params: { orgId }, retries: 2 }),
    onSuccess: () => {
      onLeft();
      void client.invalidateQueries({ queryKey: resourceKey('organisations', null) });
    },
  });
  return (
    <ConfirmDialog
      title={t({ id: 'organisations.leave.title', defaultMessage: 'Leave {name}?' }, { name })}
      confirm={t({ id: 'organisations.leave.confirm', defaultMessage: 'Leave organisation' })}
      act={leave}
      onConfirm={() => leave.mutate()}
      onClose={onClose}
    >
      {t({
        id: 'organisations.leave.text',
        defaultMessage:
          'Your answers that are being written there end. Your chats stay with the organisation; to come back you need a new invitation.',
      })}
    </ConfirmDialog>
  );
}
