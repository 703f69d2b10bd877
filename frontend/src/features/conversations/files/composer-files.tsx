import type { Model } from '@parley/contracts';
import { X } from 'lucide-react';
import type { ReactNode } from 'react';
import { useFormats } from '../../../lib/formats.ts';
import { LateTexts } from '../../../lib/late-texts.tsx';
import { useText } from '../../../lib/text.ts';
import { IconButton } from '../../../ui/icon-button.tsx';
import type { Attached, Attaching } from '../state/attaching.ts';
import type { Where } from '../state/drafts.ts';
import type { FileCommands } from './use-attaching.ts';
import { UnreadState, UploadState } from './file-state.tsx';
import { FileThumb } from './file-thumb.tsx';
import { FileUse } from './file-use.tsx';
import { ImagesNote, ImageUse } from './image-use.tsx';
import { PassagesNote } from './passages-note.tsx';
import classes from './files.module.css';

/** Shows the files of the message that is being written, each with its state or, once ready, how the model uses it. */
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
            <UploadState upload={one} onRetry={() => retry(one.id)} />
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
        <bdi className={`p-sm p-one-line ${classes.name}`} title={name}>
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

/**
 * Shows a file's size and pages. `tokens` is set only for images: text files show their tokens beside the choice of how
 * the model uses them.
 */
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
  if (file?.status !== 'ready') return <UnreadState file={file} onRetry={() => retry(id)} />;
  if (used === 'image') return <ImageUse model={model} tokens={tokens} isLeftOut={isLeftOut} />;
  return <FileUse file={file} use={used} mostTokens={mostTokens} model={model} onUse={(next) => use(id, next)} />;
}
