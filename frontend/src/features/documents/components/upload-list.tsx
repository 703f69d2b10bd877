import { Button } from '@mantine/core';
import type { DocumentId } from '@parley/contracts';
import { X } from 'lucide-react';
import { useFormats } from '../../../lib/formats.ts';
import { useProblemText } from '../../../lib/problem-texts.ts';
import { useText } from '../../../lib/text.ts';
import { cutName } from '../../../ui/cut-name.tsx';
import { IconButton } from '../../../ui/icon-button.tsx';
import { StatusShape } from '../../../ui/status-shape.tsx';
import { useActionOff } from '../../../ui/stale.tsx';
import type { Upload, UploadRefusal } from '../uploads.ts';
import { ProgressBar } from '../../../ui/progress-bar.tsx';
import classes from './documents.module.css';

/** Files on their way, and those that could not go. */
export function UploadList({
  uploads,
  onRemove,
  onRetry,
}: {
  uploads: readonly Upload[];
  onRemove: (id: DocumentId) => void;
  onRetry: (id: DocumentId) => void;
}) {
  const { t } = useText();
  if (uploads.length === 0) return null;
  return (
    <ul className={classes.uploads} aria-label={t({ id: 'documents.upload.label', defaultMessage: 'Uploads' })}>
      {uploads.map((upload) => (
        <Row key={upload.id} upload={upload} onRemove={() => onRemove(upload.id)} onRetry={() => onRetry(upload.id)} />
      ))}
    </ul>
  );
}

function Row({ upload, onRemove, onRetry }: { upload: Upload; onRemove: () => void; onRetry: () => void }) {
  const { t, rich, intl } = useText();
  const { size } = useFormats();
  const file = upload.file.name;
  const off = useActionOff();
  const isBad = upload.state === 'failed' || upload.state === 'refused';
  return (
    <li className={`p-sm ${classes.upload}`}>
      <StatusShape kind={isBad ? 'bad' : upload.state === 'waiting' ? 'waiting' : 'running'} />
      <span className={classes.uploadName}>
        <bdi>{upload.file.name}</bdi> <span className="p-meta">{size(upload.file.size)}</span>
        {upload.replaces ? (
          <span className="p-meta">
            {' · '}
            {rich(
              { id: 'documents.upload.replaces', defaultMessage: 'replaces <name>{file}</name>' },
              { file: upload.replaces.name, name: cutName },
            )}
          </span>
        ) : null}
        <Reason upload={upload} />
      </span>
      {upload.state === 'sending' ? (
        <>
          <ProgressBar className={classes.progress} value={upload.share} of={1} label={upload.file.name} />
          <span className={classes.share}>{intl.formatNumber(upload.share, { style: 'percent' })}</span>
        </>
      ) : null}
      {upload.state === 'failed' ? (
        <Button variant="default" size="xs" onClick={onRetry} {...off}>
          <span>
            {rich(
              { id: 'documents.upload.retry', defaultMessage: 'Upload <name>{file}</name> again' },
              { file, name: cutName },
            )}
          </span>
        </Button>
      ) : null}
      <IconButton
        icon={X}
        label={
          isBad
            ? t({ id: 'documents.upload.dismiss', defaultMessage: 'Remove {file} from this list' }, { file })
            : t({ id: 'documents.upload.stop', defaultMessage: 'Stop the upload of {file}' }, { file })
        }
        onClick={onRemove}
      />
    </li>
  );
}

function Reason({ upload }: { upload: Upload }) {
  const { t } = useText();
  const describe = useProblemText();
  const refusals: Record<UploadRefusal, string> = {
    type: t({
      id: 'documents.refusal.type',
      defaultMessage: 'This kind of file cannot be read. Use PDF, .docx, .xlsx, .pptx, .csv, .eml, .md, .txt or .html.',
    }),
    size: t({ id: 'documents.refusal.size', defaultMessage: 'It is larger than 25 MB. Split it into several files.' }),
    empty: t({ id: 'documents.refusal.empty', defaultMessage: 'The file is empty.' }),
  };
  const text = upload.refusal
    ? refusals[upload.refusal]
    : upload.state === 'failed'
      ? describe(upload.error).text
      : null;
  return text === null ? null : (
    <span className={`p-meta ${classes.uploadReason}`} role="alert">
      {text}
    </span>
  );
}
