import type { ChatImport } from '@parley/contracts';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { api } from '../../../lib/http.ts';
import { resourceKey } from '../../../lib/query-keys.ts';
import { useTab } from '../../../lib/tab-organisation.tsx';
import { useText } from '../../../lib/text.ts';
import { useErrorToast } from '../../../ui/error-toast.ts';
import { useToast } from '../../../ui/toast.tsx';

/** An import with the number of its chats that are here now. */
export function useOneImport(importId: ChatImport['id']) {
  const orgId = useTab().organisation.id;
  return useQuery({
    queryKey: resourceKey('imports', orgId, 'one', importId),
    queryFn: ({ signal }) => api('GET /api/chat/imports/:importId', { orgId, params: { importId }, signal }),
  });
}

/** Deletes all chats of an import, and takes that back. */
export function useImportedChatActs({ id: importId }: Pick<ChatImport, 'id'>) {
  const { t } = useText();
  const client = useQueryClient();
  const toast = useToast();
  const showError = useErrorToast();
  const orgId = useTab().organisation.id;
  const call = { orgId, params: { importId }, retries: 2 };
  const refresh = async () => {
    await client.invalidateQueries({ queryKey: resourceKey('imports', orgId) });
    await client.invalidateQueries({ queryKey: resourceKey('conversations', orgId) });
  };
  const restoring = useMutation({
    mutationFn: () => api('POST /api/chat/imports/:importId/chats/restore', call),
    onError: showError,
    onSettled: refresh,
  });
  const deleting = useMutation({
    mutationFn: () => api('DELETE /api/chat/imports/:importId/chats', call),
    onSuccess: () =>
      toast({
        text: t({ id: 'settings.import.chats.deleted', defaultMessage: 'Chats deleted' }),
        undo: () => restoring.mutate(),
      }),
    onSettled: refresh,
  });
  return { deleting, restoring };
}
