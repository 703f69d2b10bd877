import type { ApiKey } from '@parley/contracts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { resourceKey } from '../../lib/query-keys.ts';
import { useTab } from '../../lib/tab-organisation.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { useApiKeyWords } from './api-key-words.ts';

type Props = {
  apiKey: ApiKey;
  revoke: () => Promise<unknown>;
  /** The list that is fetched again afterwards. */
  list: 'api-keys' | 'my-api-keys';
  /** The reason that has to be filled in first; `onMissing` is called if it is empty. */
  reason?: {
    readonly text: string;
    readonly field: (confirm: () => void) => ReactNode;
    readonly onMissing: () => void;
  };
  onClose: () => void;
  children: ReactNode;
};

/** Asks before a key is revoked for good. */
export function RevokeKey({ apiKey, revoke, list, reason, onClose, children }: Props) {
  const words = useApiKeyWords();
  const client = useQueryClient();
  const orgId = useTab().organisation.id;
  const revoking = useMutation({
    mutationFn: revoke,
    onSuccess: onClose,
    onSettled: () => client.invalidateQueries({ queryKey: resourceKey(list, orgId) }),
  });
  const confirm = () => {
    if (reason?.text.trim() === '') return reason.onMissing();
    revoking.mutate();
  };
  return (
    <ConfirmDialog
      title={words.revokeTitle(apiKey)}
      confirm={words.revokeConfirm}
      act={revoking}
      onConfirm={confirm}
      onClose={onClose}
      field={reason?.field(confirm)}
    >
      {children}
    </ConfirmDialog>
  );
}
