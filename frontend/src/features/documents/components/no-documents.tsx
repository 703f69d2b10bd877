import { Button } from '@mantine/core';
import { Database } from 'lucide-react';
import { useText } from '../../../lib/text.ts';
import { StateView } from '../../../ui/state-view.tsx';

/** What to do where there is nothing to answer from yet. */
export function NoDocuments({ isUpload, onUpload }: { isUpload: boolean; onUpload: (() => void) | null }) {
  const { t } = useText();
  const title = t({ id: 'documents.empty.title', defaultMessage: 'No documents yet' });
  if (!isUpload)
    return (
      <StateView icon={Database} title={title}>
        {t({
          id: 'documents.empty.synced',
          defaultMessage: 'Documents of the source appear here after its first sync.',
        })}
      </StateView>
    );
  return (
    <StateView
      icon={Database}
      title={title}
      actions={
        onUpload ? (
          <Button size="xs" variant="default" onClick={onUpload}>
            {t({ id: 'documents.empty.upload', defaultMessage: 'Choose files' })}
          </Button>
        ) : null
      }
    >
      {onUpload
        ? t({
            id: 'documents.empty.text',
            defaultMessage:
              'Answers quote what you upload here. Drop PDF, Word, Excel, PowerPoint, CSV, email, Markdown, text or HTML files on this page, up to 25 MB each.',
          })
        : t({
            id: 'documents.empty.readOnly',
            defaultMessage: 'An owner or admin of the organisation can upload documents; answers then quote them.',
          })}
    </StateView>
  );
}
