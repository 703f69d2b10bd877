import { useMutation } from '@tanstack/react-query';
import { Download } from 'lucide-react';
import { saveFile } from '../../lib/download.ts';
import { isProblem } from '../../lib/http.ts';
import { useProblemText } from '../../lib/problem-texts.ts';
import { useTab } from '../../lib/tab-organisation.tsx';
import { useText } from '../../lib/text.ts';
import { IconButton } from '../../ui/icon-button.tsx';
import { useToast } from '../../ui/toast.tsx';
import { contentOf, type Opened, type Viewed } from './viewed.ts';

type Props = Pick<Opened, 'name' | 'hasFile'> & {
  viewed: Viewed;
  /** Among the actions of many documents: which one is saved. */
  label?: string;
};

/** Saves the original file. Where none is kept it says so and does nothing. */
export function DownloadButton({ viewed, name, hasFile, label }: Props) {
  const { t } = useText();
  const orgId = useTab().organisation.id;
  const toast = useToast();
  const describe = useProblemText();
  const { mutate, isPending } = useMutation({
    mutationFn: () => contentOf(viewed, { orgId }),
    onSuccess: (bytes) => saveFile(name, bytes),
    onError: (error) => {
      const isGone = isProblem(error, 'chat.document-not-found');
      const gone = t({
        id: 'viewer.state.gone',
        defaultMessage: "This document was deleted, or you don't have access to it.",
      });
      toast({ text: isGone ? gone : describe(error).text });
    },
  });
  const words = hasFile
    ? (label ?? t({ id: 'viewer.download.label', defaultMessage: 'Download original' }))
    : t({ id: 'viewer.download.none', defaultMessage: 'The original file is not kept' });
  return <IconButton icon={Download} label={words} disabled={!hasFile} loading={isPending} onClick={() => mutate()} />;
}
