import type { Webhook } from '@parley/contracts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api } from '../../../lib/http.ts';
import { resourceKey } from '../../../lib/query-keys.ts';
import { useTab } from '../../../lib/tab-organisation.tsx';
import { useText } from '../../../lib/text.ts';
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx';

/** Nothing more is told there, and its deliveries are gone. */
export function DeleteWebhookDialog({ webhook, onClose }: { webhook: Webhook; onClose: () => void }) {
  const { t } = useText();
  const client = useQueryClient();
  const orgId = useTab().organisation.id;
  const remove = useMutation({
    mutationFn: () => api('DELETE /api/monitoring/webhooks/:webhookId', { orgId, params: { webhookId: webhook.id } }),
    onSuccess: onClose,
    onSettled: () => client.invalidateQueries({ queryKey: resourceKey('webhooks', orgId) }),
  });
  return (
    <ConfirmDialog
      title={t({ id: 'organisation.webhooks.deleteTitle', defaultMessage: 'Delete this webhook?' })}
      confirm={t({ id: 'organisation.webhooks.deleteConfirm', defaultMessage: 'Delete webhook' })}
      act={remove}
      onConfirm={() => remove.mutate()}
      onClose={onClose}
    >
      {t({
        id: 'organisation.webhooks.deleteText',
        defaultMessage: 'Its address is told nothing more, what waits is not sent, and its secret is gone.',
      })}
    </ConfirmDialog>
  );
}
