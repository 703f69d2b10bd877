import { Button } from '@mantine/core';
import type { Model } from '@parley/contracts';
import { X } from 'lucide-react';
import type { ReactNode } from 'react';
import { useFormats } from '../../../lib/formats.ts';
import { LateTexts } from '../../../lib/late-texts.tsx';
import { useProblemText } from '../../../lib/problem-texts.ts';
import { useText } from '../../../lib/text.ts';
import { IconButton } from '../../../ui/icon-button.tsx';
import { useActionOff } from '../../../ui/stale.tsx';
import { StatusShape } from '../../../ui/status-shape.tsx';
import type { Attached, Attaching } from '../state/attaching.ts';
import type { Where } from '../state/drafts.ts';
import type { Upload, UploadRefusal } from '../state/uploads.ts';
import type { FileCommands } from './use-attaching.ts';
import { useAttachedReasons } from './use-attached-reasons.ts';
import { FileThumb } from './file-thumb.tsx';
import { FileUse } from './file-use.tsx';
import { ImagesNote, ImageUse } from './image-use.tsx';
import { PassagesNote } from './passages-note.tsx';
import { ProgressBar } from '../../../ui/progress-bar.tsx';
import classes from './files.module.css';

/** The files of the message that is being written, each with its state or how it is used. */
export function ComposerFiles(props: Props) {
  return (
    <LateTexts part="unread">
      <Cards {...props} />
      <PassagesNote where={props.where} attached={props.attaching.attached} />
      {props.attaching.images > 0 ? <ImagesNote model={props.model} /> : null}
    </LateTexts>
  );
}

type CardsProps = { attaching: Attaching; commands: FileCommands; model: Model | null };
type Props = CardsProps & { where: Where };

function Cards({ attaching: { cards, mostTokens }, commands: { remove, retry, use }, model }: CardsProps) {
  const { t } = useText();
  return (
    <ul className={classes.cards} aria-label={t({ id: 'files.list.label', defaultMessage: 'Attached files' })}>
      {cards.map((one) =>
        'use' in one ? (
          <Card
            key={one.id}
            name={one.file?.name ?? '…'}
            thumb={<FileThumb name={one.file?.name ?? ''} {...one} />}
            facts={one.file ? <Facts {...one.file} tokens={one.use === 'image' ? one.tokens : null} /> : null}
            onRemove={() => remove(one.id)}
          >
            <FileState attached={one} mostTokens={mostTokens} model={model} retry={retry} use={use} />
          </Card>
        ) : (
          <Card
            key={one.id}
            name={one.file.name}
            thumb={<FileThumb name={one.file.name} preview={one.isImage ? one.file : null} />}
            facts={<Facts bytes={one.file.size} pages={null} tokens={null} />}
            onRemove={() => remove(one.id)}
          >
            <UploadState upload={one} retry={retry} />
          </Card>
        ),
      )}
    </ul>
  );
}

type CardProps = { name: string; thumb: ReactNode; facts: ReactNode; onRemove: () => void; children: ReactNode };

function Card({ name, thumb, facts, onRemove, children }: CardProps) {
  const { t } = useText();
  return (
    <li className={classes.card}>
      {thumb}
      <div className={classes.about}>
        <bdi className={classes.name} title={name}>
          {name}
        </bdi>
        <span className="p-meta">{facts}</span>
      </div>
      <IconButton
        icon={X}
        label={t({ id: 'files.card.remove', defaultMessage: 'Remove {file}' }, { file: name })}
        onClick={onRemove}
      />
      <div className={classes.state}>{children}</div>
    </li>
  );
}

type FactsProps = Pick<Attached, 'tokens'> & { bytes: number; pages: number | null };

/** Tokens are those that an image adds; a text says its own where it says how it is used. */
function Facts({ bytes, pages, tokens }: FactsProps) {
  const { t } = useText();
  const { size } = useFormats();
  if (tokens !== null)
    return t(
      { id: 'files.card.tokens', defaultMessage: '{size} · {tokens, plural, one {# token} other {# tokens}}' },
      { size: size(bytes), tokens },
    );
  return pages === null
    ? size(bytes)
    : t(
        { id: 'files.card.pages', defaultMessage: '{size} · {pages, plural, one {# page} other {# pages}}' },
        { size: size(bytes), pages },
      );
}

type StateProps = Pick<Attaching, 'mostTokens'> &
  Pick<FileCommands, 'retry' | 'use'> &
  Pick<CardsProps, 'model'> & { attached: Attached };

function FileState({
  attached: { id, file, use: used, tokens, isLeftOut },
  mostTokens,
  model,
  retry,
  use,
}: StateProps) {
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
    // Another file is what helps then: this one would fail again.
    return isFlaw ? <Failure reason={reason} /> : <Failure reason={reason} onRetry={() => retry(id)} />;
  }
  if (used === 'image') return <ImageUse model={model} tokens={tokens} isLeftOut={isLeftOut} />;
  return <FileUse file={file} use={used} mostTokens={mostTokens} model={model} onUse={(next) => use(id, next)} />;
}

function UploadState({
  upload: { id, state, share, refusal, error },
  retry,
}: { upload: Upload } & Pick<FileCommands, 'retry'>) {
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
    size: t({ id: 'files.refusal.size', defaultMessage: 'It is larger than 50 MB. Split it into several files.' }),
    empty: t({ id: 'files.refusal.empty', defaultMessage: 'The file is empty.' }),
  };
  if (refusal) return <Failure reason={refusals[refusal]} />;
  if (state === 'failed') return <Failure reason={describe(error).text} onRetry={() => retry(id)} />;
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
