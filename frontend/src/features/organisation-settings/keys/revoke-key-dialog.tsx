import type { ApiKey } from '@parley/contracts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useApiKeyWords } from '../../../domain/api-key/api-key-words.ts';
import { api } from '../../../lib/http.ts';
import { useProblemText } from '../../../lib/problem-texts.ts';
import { resourceKey } from '../../../lib/query-keys.ts';
import { useTab } from '../../../lib/tab-organisation.tsx';
import { useText } from '../../../lib/text.ts';
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx';
import { ReasonField } from '../parts/reason-field.tsx';

/** Ends somebody's key, and asks why. */
export function RevokeKeyDialog({ apiKey, onClose }: { apiKey: ApiKey; onClose: () => void }) {
  const { t } = useText();
  const words = useApiKeyWords();
  const describe = useProblemText();
  const client = useQueryClient();
  const orgId = useTab().organisation.id;
  const [reason, setReason] = useState('');
  const [isMissing, setMissing] = useState(false);
  const revoke = useMutation({
    mutationFn: () =>
      api('DELETE /api/auth/api-keys/:apiKeyId', {
        orgId,
        params: { apiKeyId: apiKey.id },
        query: { reason: reason.trim() },
        retries: 2,
      }),
    onSuccess: onClose,
    onSettled: () => client.invalidateQueries({ queryKey: resourceKey('api-keys', orgId) }),
  });
  const confirm = () => {
    if (reason.trim() === '') return setMissing(true);
    revoke.mutate();
  };
  return (
    <ConfirmDialog
      title={words.revokeTitle(apiKey)}
      confirm={words.revokeConfirm}
      isBusy={revoke.isPending}
      error={revoke.error ? describe(revoke.error).text : null}
      onConfirm={confirm}
      onClose={onClose}
      field={<ReasonField value={reason} isMissing={isMissing} onChange={setReason} onEnter={confirm} />}
    >
      {t(
        {
          id: 'organisation.keys.revokeText',
          defaultMessage: 'Programs that {name} runs with it are refused within a second. It cannot be brought back.',
        },
        { name: apiKey.owner.name },
      )}
    </ConfirmDialog>
  );
}
