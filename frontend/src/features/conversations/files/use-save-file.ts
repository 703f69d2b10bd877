import { useMutation } from '@tanstack/react-query';
import type { FileId } from '@parley/contracts';
import { fetchFile, saveFile } from '../../../lib/download.ts';
import { useTab } from '../../../lib/tab-organisation.tsx';
import { useErrorToast } from '../../../ui/error-toast.ts';

/** Returns a function that saves a file of a chat to disk. */
export function useSaveFile({ id, name }: { readonly id: FileId; readonly name: string }) {
  const orgId = useTab().organisation.id;
  const showError = useErrorToast();
  const { mutate, isPending } = useMutation({
    mutationFn: () => fetchFile('GET /api/chat/files/:fileId/content', { orgId, params: { fileId: id } }),
    onSuccess: (content) => saveFile(name, content),
    onError: showError,
  });
  return { save: () => mutate(), isPending };
}
