import type { ChatImport } from '@parley/contracts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api, isProblem, type Call } from '../../../lib/http.ts';
import { resourceKey } from '../../../lib/query-keys.ts';
import { useTab } from '../../../lib/tab-organisation.tsx';
import { useErrorToast } from '../../../ui/error-toast.ts';
import { stopUploading } from './uploading.ts';

type Act = 'check' | 'pause' | 'resume' | 'stop';
type Start = Call<'POST /api/chat/imports/:importId/start'>['body'];

/** What can be done with an import, one thing at a time. */
export function useImportActs({ id: importId, report }: Pick<ChatImport, 'id' | 'report'>) {
  const client = useQueryClient();
  const showError = useErrorToast();
  const orgId = useTab().organisation.id;
  const call = { orgId, params: { importId }, retries: 2 };
  const refresh = () => client.invalidateQueries({ queryKey: resourceKey('imports', orgId) });
  const shared = {
    onError: (error: unknown) => {
      if (!isProblem(error, 'chat.import-not-found')) showError(error);
    },
    onSettled: refresh,
  };
  const acting = useMutation({
    mutationFn: (act: Act): Promise<unknown> => api(`POST /api/chat/imports/:importId/${act}`, call),
    ...shared,
  });
  const starting = useMutation({
    mutationFn: (body: Start) => api('POST /api/chat/imports/:importId/start', { ...call, body }),
    ...shared,
  });
  const deleting = useMutation({
    mutationFn: () => {
      stopUploading(importId);
      return api('DELETE /api/chat/imports/:importId', call);
    },
    ...shared,
  });
  return {
    act: (act: Act) => acting.mutate(act),
    start: (again: boolean, projects: NonNullable<Start['projects']>) =>
      starting.mutate({ again, ...(projects.length > 0 && { projects }) }),
    /** Once more what has failed: the import, or its check. */
    repeat: () => (report ? starting.mutate({ again: false }) : acting.mutate('check')),
    remove: () => deleting.mutate(),
    isBusy: acting.isPending || starting.isPending || deleting.isPending,
  };
}
