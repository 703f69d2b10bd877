import type { Model } from '@parley/contracts';
import { Paperclip, Upload } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { createPortal } from 'react-dom';
import { LateTexts } from '../../../lib/late-texts.tsx';
import { useText } from '../../../lib/text.ts';
import { IconButton } from '../../../ui/icon-button.tsx';
import type { Attaching } from '../state/attaching.ts';
import type { Where } from '../state/drafts.ts';
import { namedByTime } from '../state/images.ts';
import { acceptedEndings } from '../state/uploads.ts';
import { useAttaching, useFileCommands } from '../files/use-attaching.ts';
import { ComposerFiles } from '../files/composer-files.tsx';
import classes from './composer.module.css';

type Add = (files: readonly File[]) => void;
type Props = {
  where: Where;
  model: Model | null;
  /** The element that the button is placed in. */
  place: HTMLElement | null;
  onAttaching: (attaching: Attaching) => void;
};

/**
 * Attaches files from the button, the clipboard or a drop anywhere on the page to the draft, and shows the draft's
 * files.
 */
export function AttachFiles(props: Props) {
  return (
    <LateTexts part="files">
      <Attach {...props} />
    </LateTexts>
  );
}

function Attach({ where, model, place, onAttaching }: Props) {
  const attaching = useAttaching(where, model);
  const commands = useFileCommands(where);
  const count = useDropped(commands.add);
  usePasted(place, commands.add);
  useEffect(() => onAttaching(attaching), [attaching, onAttaching]);
  return (
    <>
      {count > 0 ? <DropZone count={count} /> : null}
      {attaching.attached.length + attaching.uploads.length > 0 ? (
        <ComposerFiles where={where} attaching={attaching} commands={commands} model={model} />
      ) : null}
      {place ? createPortal(<AttachButton onFiles={commands.add} />, place) : null}
    </>
  );
}

function DropZone({ count }: { count: number }) {
  const { t } = useText();
  return (
    <div className={classes.drop}>
      <Upload size={20} />
      <span>
        <b>
          {t(
            { id: 'files.attach.drop', defaultMessage: 'Drop {count, plural, one {# file} other {# files}} to attach' },
            { count },
          )}
        </b>
        {t({
          id: 'files.attach.kinds',
          defaultMessage: 'Images, PDF, Office documents, emails and text, up to 50 MB each',
        })}
      </span>
    </div>
  );
}

/**
 * Returns true if the clipboard has copied files, whose text is only their names or paths. False for copied text: the
 * programs it comes from may add a picture of it, which isn't attached.
 */
function areFiles(data: DataTransfer): boolean {
  if (data.files.length === 0) return false;
  if (!data.types.includes('text/plain')) return true;
  const lines = data.getData('text/plain').trim().split(/\r?\n/);
  const names = lines.map((line) => line.slice(Math.max(line.lastIndexOf('/'), line.lastIndexOf('\\')) + 1));
  return names.join('\n') === [...data.files].map(({ name }) => name).join('\n');
}

/** Attaches files that people paste into the composer that contains `place`. */
function usePasted(place: HTMLElement | null, onFiles: Add): void {
  const { t } = useText();
  const word = t({ id: 'files.attach.screenshot', defaultMessage: 'Screenshot' });
  useEffect(() => {
    const composer = place?.closest<HTMLElement>('[data-composer]');
    const paste = (event: ClipboardEvent) => {
      const { clipboardData: data } = event;
      if (!data || !areFiles(data)) return;
      event.preventDefault();
      onFiles([...data.files].map((file) => namedByTime(file, word, new Date())));
    };
    composer?.addEventListener('paste', paste);
    return () => composer?.removeEventListener('paste', paste);
  }, [place, onFiles, word]);
}

/**
 * Returns how many files are being dragged over the page. Listens to the whole page, because a file dropped beside a
 * target would replace the page.
 */
function useDropped(onFiles: Add): number {
  const [count, setCount] = useState(0);
  useEffect(() => {
    let depth = 0;
    const enter = (change: number, files: number) => {
      depth = Math.max(0, depth + change);
      setCount(depth > 0 ? files : 0);
    };
    const on: Record<string, (event: DragEvent, data: DataTransfer) => void> = {
      dragenter: (_event, { items }) => enter(1, items.length),
      dragover: (event) => event.preventDefault(),
      dragleave: (_event, { items }) => enter(-1, items.length),
      drop: (event, { files }) => {
        event.preventDefault();
        enter(-depth, 0);
        onFiles([...files]);
      },
    };
    const listen = (event: Event) => {
      const { dataTransfer } = event as DragEvent;
      if (dataTransfer?.types.includes('Files')) on[event.type]!(event as DragEvent, dataTransfer);
    };
    for (const type of Object.keys(on)) window.addEventListener(type, listen);
    return () => {
      for (const type of Object.keys(on)) window.removeEventListener(type, listen);
    };
  }, [onFiles]);
  return count;
}

function AttachButton({ onFiles }: { onFiles: Add }) {
  const { t } = useText();
  const input = useRef<HTMLInputElement>(null);
  const label = t({ id: 'files.attach.button', defaultMessage: 'Attach files' });
  return (
    <>
      <input
        ref={input}
        type="file"
        multiple
        hidden
        aria-label={label}
        accept={acceptedEndings.join(',')}
        onChange={({ currentTarget }) => {
          onFiles([...(currentTarget.files ?? [])]);
          // Otherwise people couldn't choose the same file again.
          currentTarget.value = '';
        }}
      />
      <IconButton icon={Paperclip} iconSize={18} size={32} label={label} onClick={() => input.current?.click()} />
    </>
  );
}
