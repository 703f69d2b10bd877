import type { Member } from '@parley/contracts';
import { useMutation } from '@tanstack/react-query';
import { api } from '../../../lib/http.ts';
import { useTab } from '../../../lib/tab-organisation.tsx';
import { useText } from '../../../lib/text.ts';
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx';
import { useRefreshPeople } from '../people/use-people-commands.ts';

/** The organisation changes hands: only the new owner can undo it. */
export function TransferDialog({ member, onClose }: { member: Member; onClose: () => void }) {
  const { t } = useText();
  const { organisation } = useTab();
  const refresh = useRefreshPeople();
  const transfer = useMutation({
    mutationFn: () => api('POST /api/org/ownership', { orgId: organisation.id, body: { userId: member.userId } }),
    onSuccess: onClose,
    onSettled: refresh,
  });
  return (
    <ConfirmDialog
      title={t(
        { id: 'organisation.transfer.title', defaultMessage: 'Make {name} the owner in your place?' },
        { name: member.name },
      )}
      confirm={t({ id: 'organisation.transfer.confirm', defaultMessage: 'Hand over ownership' })}
      act={transfer}
      onConfirm={() => transfer.mutate()}
      onClose={onClose}
    >
      {t(
        {
          id: 'organisation.transfer.text',
          defaultMessage:
            '{name} then has all permissions in {organisation}, and you become an admin. Only an owner can transfer it back.',
        },
        { name: member.name, organisation: organisation.name },
      )}
    </ConfirmDialog>
  );
}
