import { UnstyledButton } from '@mantine/core';
import type { Message, MessageFile, ModelKey } from '@parley/contracts';
import { Download, Eye, EyeOff, ScrollText, Search } from 'lucide-react';
import { useRef, useState } from 'react';
import { useFormats } from '../../../lib/formats.ts';
import { LateTexts } from '../../../lib/late-texts.tsx';
import { lazyPart } from '../../../lib/lazy-part.tsx';
import { useText } from '../../../lib/text.ts';
import { IconButton } from '../../../ui/icon-button.tsx';
import { imageSupportOf } from '../state/images.ts';
import { useFileWords } from './use-file-words.ts';
import { useModels } from '../../../domain/model/use-models.ts';
import { useSaveFile } from './use-save-file.ts';
import { FileIcon } from './file-icon.tsx';
import { SentImage } from './sent-image.tsx';
import classes from './files.module.css';

const ImageViewer = lazyPart(async () => (await import('./image-viewer/index.tsx')).ImageViewer);

type Props = {
  files: readonly MessageFile[];
  /** Opens a file, unless it is an image, beside the chat. */
  onOpen: (file: MessageFile) => void;
  /** The model that answered the question; null before there is one. */
  answeredBy: ModelKey | null;
  /** How the model got the question's images, if the answer says so. */
  given?: Answering['images'];
  /** Images of the question that weren't sent, because other files took the room. */
  leftOut?: Answering['leftOut'];
};
type Answering = NonNullable<Message['generation']>;

/** Shows the files of a question above its text, images first, with their use. */
export function MessageFiles(props: Props) {
  return (
    <LateTexts part="files">
      <Files {...props} />
    </LateTexts>
  );
}

function Files({ files, onOpen, ...answer }: Props) {
  const images = files.filter(({ use }) => use === 'image');
  const others = files.filter(({ use }) => use !== 'image');
  const [shown, setShown] = useState<number | null>(null);
  const opener = useRef<HTMLElement>(null);
  const close = () => {
    setShown(null);
    opener.current?.focus();
  };
  return (
    <>
      <ul className={classes.sent}>
        {images.map((file, at) => (
          <li key={file.id} className={classes.seen}>
            <SentImage
              file={file}
              otherwise={<SavedFile file={file} />}
              onOpen={(button) => {
                opener.current = button;
                setShown(at);
              }}
            />
            <Used file={file} {...answer} />
          </li>
        ))}
        {others.map((file) => (
          <li key={file.id} className={classes.file}>
            <ReadFile file={file} onOpen={() => onOpen(file)} />
            <Used file={file} {...answer} />
          </li>
        ))}
      </ul>
      {shown === null ? null : <ImageViewer images={images} at={shown} onShow={setShown} onClose={close} />}
    </>
  );
}

/** Shows a file that people can open beside the chat, and download. */
function ReadFile({ file, onOpen }: { file: MessageFile; onOpen: () => void }) {
  const { t } = useText();
  const { save, isPending } = useSaveFile(file);
  return (
    <div className={classes.document}>
      <UnstyledButton
        className={classes.open}
        aria-description={t({ id: 'files.source.open', defaultMessage: 'Open file' })}
        onClick={onOpen}
      >
        <About file={file} />
      </UnstyledButton>
      <IconButton
        icon={Download}
        label={t({ id: 'files.sent.saveOne', defaultMessage: 'Download {file}' }, { file: file.name })}
        loading={isPending}
        onClick={save}
      />
    </div>
  );
}

/** Shows a file that people can only download. */
function SavedFile({ file }: { file: MessageFile }) {
  const { t } = useText();
  const { save, isPending } = useSaveFile(file);
  return (
    <UnstyledButton
      className={`${classes.document} ${classes.open}`}
      aria-description={t({ id: 'files.sent.save', defaultMessage: 'Download' })}
      aria-busy={isPending}
      onClick={save}
    >
      <About file={file} />
      <Download className={classes.load} />
    </UnstyledButton>
  );
}

function About({ file: { name, bytes } }: { file: MessageFile }) {
  const { size } = useFormats();
  return (
    <>
      <FileIcon name={name} />
      <span className={classes.about}>
        <bdi className={`p-sm p-one-line ${classes.name}`} title={name}>
          {name}
        </bdi>
        <span className="p-meta">{size(bytes)}</span>
      </span>
    </>
  );
}

/**
 * Says how a file was used, or that only an image's name was sent, because the model doesn't accept images. Until the
 * answer says so, the model's current support decides.
 */
function Used({ file, answeredBy, given: said, leftOut }: { file: MessageFile } & Omit<Props, 'files' | 'onOpen'>) {
  const { t } = useText();
  const { data } = useModels();
  const wordsOf = useFileWords();
  const { use } = file;
  const model = data?.items.find(({ key }) => key === answeredBy);
  const given = said ?? (model !== undefined && imageSupportOf(model) === 'no' ? 'note' : null);
  const isUnseen = use === 'image' && given !== null;
  const isLeftOut = leftOut?.includes(file.id) === true;
  const Icon = isUnseen || isLeftOut ? EyeOff : { image: Eye, whole: ScrollText, searched: Search }[use];
  const unseen =
    given === 'refused'
      ? t({ id: 'files.sent.refused', defaultMessage: 'Refused by the model' })
      : t({ id: 'files.sent.unseen', defaultMessage: 'Given as a note' });
  return (
    <span className={classes.chip}>
      <Icon size={14} />
      <span>{isUnseen ? unseen : wordsOf({ ...file, isLeftOut })}</span>
    </span>
  );
}
