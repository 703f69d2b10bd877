import type { ChatExport } from '@parley/contracts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api, isProblem } from '../../../lib/http.ts';
import { resourceKey } from '../../../lib/query-keys.ts';
import { useTab } from '../../../lib/tab-organisation.tsx';
import { useText } from '../../../lib/text.ts';
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx';

export function DeleteExportDialog({ item, onClose }: { item: ChatExport; onClose: () => void }) {
  const { t } = useText();
  const client = useQueryClient();
  const orgId = useTab().organisation.id;
  const remove = useMutation({
    // One that is gone already needs no words.
    mutationFn: () =>
      api('DELETE /api/chat/exports/:exportId', { orgId, params: { exportId: item.id }, retries: 2 }).catch(
        (error: unknown) => {
          if (!isProblem(error, 'chat.export-not-found')) throw error;
        },
      ),
    onSuccess: onClose,
    onSettled: () => client.invalidateQueries({ queryKey: resourceKey('exports', orgId) }),
  });
  return (
    <ConfirmDialog
      title={t({ id: 'settings.data.export.deleteTitle', defaultMessage: 'Delete this export?' })}
      confirm={t({ id: 'settings.data.export.deleteConfirm', defaultMessage: 'Delete export' })}
      act={remove}
      onConfirm={() => remove.mutate()}
      onClose={onClose}
    >
      {t({
        id: 'settings.data.export.deleteText',
        defaultMessage: 'You can’t restore it. Your chats and files stay, and you can export them again.',
      })}
    </ConfirmDialog>
  );
}
