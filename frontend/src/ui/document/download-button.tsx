import type { OpenedDocument } from '@parley/contracts';
import { useMutation } from '@tanstack/react-query';
import { Download } from 'lucide-react';
import { fetchFile, saveFile } from '../../lib/download.ts';
import { useProblemText } from '../../lib/problem-texts.ts';
import { useTab } from '../../lib/tab-organisation.tsx';
import { useText } from '../../lib/text.ts';
import { IconButton } from '../icon-button.tsx';
import { useToast } from '../toast.tsx';

/** Saves the original file. Where none is kept it says so and does nothing. */
export function DownloadButton({ document: { id, name, hasFile } }: { document: OpenedDocument }) {
  const { t } = useText();
  const orgId = useTab().organisation.id;
  const toast = useToast();
  const describe = useProblemText();
  const { mutate, isPending } = useMutation({
    mutationFn: () => fetchFile('GET /api/chat/documents/:documentId/content', { orgId, params: { documentId: id } }),
    onSuccess: (bytes) => saveFile(name, bytes),
    onError: (error) => toast({ text: describe(error).text }),
  });
  const label = hasFile
    ? t({ id: 'viewer.download.label', defaultMessage: 'Download original' })
    : t({ id: 'viewer.download.none', defaultMessage: 'The original file is not kept' });
  return <IconButton icon={Download} label={label} disabled={!hasFile} loading={isPending} onClick={() => mutate()} />;
}
