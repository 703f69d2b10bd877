import type { ApiKey } from '@parley/contracts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useApiKeyWords } from '../../../domain/api-key/api-key-words.ts';
import { api } from '../../../lib/http.ts';
import { useProblemText } from '../../../lib/problem-texts.ts';
import { resourceKey } from '../../../lib/query-keys.ts';
import { useTab } from '../../../lib/tab-organisation.tsx';
import { useText } from '../../../lib/text.ts';
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx';

/** Ends a key of one's own for good. */
export function RevokeKeyDialog({ apiKey, onClose }: { apiKey: ApiKey; onClose: () => void }) {
  const { t } = useText();
  const words = useApiKeyWords();
  const describe = useProblemText();
  const client = useQueryClient();
  const orgId = useTab().organisation.id;
  const revoke = useMutation({
    mutationFn: () =>
      api('DELETE /api/auth/my-api-keys/:apiKeyId', { orgId, params: { apiKeyId: apiKey.id }, retries: 2 }),
    onSuccess: onClose,
    onSettled: () => client.invalidateQueries({ queryKey: resourceKey('my-api-keys', orgId) }),
  });
  return (
    <ConfirmDialog
      title={words.revokeTitle(apiKey)}
      confirm={words.revokeConfirm}
      isBusy={revoke.isPending}
      error={revoke.error ? describe(revoke.error).text : null}
      onConfirm={() => revoke.mutate()}
      onClose={onClose}
    >
      {t({
        id: 'settings.keys.revokeText',
        defaultMessage: 'Programs that use it are refused within a second. It cannot be brought back.',
      })}
    </ConfirmDialog>
  );
}
