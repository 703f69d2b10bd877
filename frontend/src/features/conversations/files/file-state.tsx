import { Button } from '@mantine/core';
import type { ChatFile } from '@parley/contracts';
import { useProblemText } from '../../../lib/problem-texts.ts';
import { useText } from '../../../lib/text.ts';
import { ProgressBar } from '../../../ui/progress-bar.tsx';
import { useActionOff } from '../../../ui/stale.tsx';
import { StatusShape } from '../../../ui/status-shape.tsx';
import type { Upload, UploadRefusal } from '../state/uploads.ts';
import { useAttachedReasons } from './use-attached-reasons.ts';
import classes from './files.module.css';

/** Names the state of a file that isn't ready; `file` is null until the server has reported it. */
export function UnreadState({ file, onRetry }: { file: ChatFile | null; onRetry: () => void }) {
  const { t } = useText();
  const reasonOf = useAttachedReasons();
  if (!file || file.status === 'stored')
    return <State kind="waiting">{t({ id: 'files.state.stored', defaultMessage: 'Waits to be read' })}</State>;
  if (file.status === 'reading')
    return file.progress ? (
      <Progress
        share={file.progress.done / Math.max(1, file.progress.of)}
        words={(percent) => t({ id: 'files.state.readingAt', defaultMessage: 'Reading {percent}' }, { percent })}
      />
    ) : (
      <State kind="running">{t({ id: 'files.state.reading', defaultMessage: 'Reading' })}</State>
    );
  if (file.status === 'failed') {
    const { reason, isFlaw } = reasonOf(file);
    // A file with a flaw would fail again, so offer no retry for it.
    return isFlaw ? <Failure reason={reason} /> : <Failure reason={reason} onRetry={onRetry} />;
  }
  return null;
}

type UploadProps = { upload: Pick<Upload, 'state' | 'share' | 'refusal' | 'error'>; onRetry: () => void };

/** Names the state of an upload that isn't stored yet. */
export function UploadState({ upload: { state, share, refusal, error }, onRetry }: UploadProps) {
  const { t } = useText();
  const describe = useProblemText();
  const refusals: Record<UploadRefusal, string> = {
    type: t({
      id: 'files.refusal.type',
      defaultMessage:
        'This kind of file can’t be used. Use PDF, .docx, .xlsx, .pptx, .csv, .eml, .md, .txt, .html or an image (PNG, JPEG, WebP, GIF or AVIF).',
    }),
    heic: t({
      id: 'files.refusal.heic',
      defaultMessage:
        'HEIC images can’t be used here. Save it as JPEG: on a Mac, open it in Preview and choose File > Export. For new photos on an iPhone, choose Settings > Camera > Formats > Most Compatible.',
    }),
    image: t({
      id: 'files.refusal.image',
      defaultMessage: 'This kind of image isn’t supported. Save it as PNG, JPEG, WebP, GIF or AVIF.',
    }),
    onlyText: t({
      id: 'files.refusal.onlyText',
      defaultMessage:
        'Only files with text can be added to a project: PDF, .docx, .xlsx, .pptx, .csv, .eml, .md, .txt or .html. Attach images to a message.',
    }),
    size: t({
      id: 'files.refusal.size',
      defaultMessage: 'The file is larger than 50 MB. Split it into several files.',
    }),
    empty: t({ id: 'files.refusal.empty', defaultMessage: 'The file is empty.' }),
  };
  if (refusal) return <Failure reason={refusals[refusal]} />;
  if (state === 'failed') return <Failure reason={describe(error).text} onRetry={onRetry} />;
  if (state === 'waiting')
    return <State kind="waiting">{t({ id: 'files.state.waiting', defaultMessage: 'Waits to be uploaded' })}</State>;
  return (
    <Progress
      share={share}
      words={(percent) => t({ id: 'files.state.uploading', defaultMessage: 'Uploading {percent}' }, { percent })}
    />
  );
}

function State({ kind, children }: { kind: 'waiting' | 'running'; children: string }) {
  return (
    <span className={classes.words}>
      <StatusShape kind={kind} />
      {children}
    </span>
  );
}

function Progress({ share, words }: { share: number; words: (percent: string) => string }) {
  const { intl } = useText();
  const text = words(intl.formatNumber(share, { style: 'percent' }));
  return (
    <span className={classes.words}>
      <ProgressBar className={classes.progress} value={share} of={1} label={text} />
      <span className={classes.share}>{text}</span>
    </span>
  );
}

function Failure({ reason, onRetry }: { reason: string; onRetry?: () => void }) {
  const { t } = useText();
  const off = useActionOff();
  return (
    <div className={classes.failure} role="alert">
      <StatusShape kind="bad" />
      <span>{reason}</span>
      {onRetry ? (
        <Button size="compact-xs" variant="subtle" onClick={onRetry} {...off}>
          {t({ id: 'files.state.retry', defaultMessage: 'Try again' })}
        </Button>
      ) : null}
    </div>
  );
}
