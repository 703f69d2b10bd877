import '@mantine/core/styles/Overlay.css';
import '@mantine/core/styles/ModalBase.css';
import '@mantine/core/styles/Modal.css';
import { Modal } from '@mantine/core';
import type { MessageFile } from '@parley/contracts';
import { ChevronLeft, ChevronRight, Download, X } from 'lucide-react';
import { useEffect, useEffectEvent, useState, type ReactNode } from 'react';
import { useText } from '../../../../lib/text.ts';
import { IconButton } from '../../../../ui/icon-button.tsx';
import { useFileImage } from '../use-file-image.ts';
import { useSaveFile } from '../use-save-file.ts';
import { BlobImage } from '../blob-image.tsx';
import classes from './image-viewer.module.css';

type Props = {
  images: readonly MessageFile[];
  /** The index of the shown image. */
  at: number;
  onShow: (at: number) => void;
  onClose: () => void;
};

/**
 * Shows an image of a question as large as possible. Arrow keys lead to the question's other images, in the page's
 * reading direction.
 */
export function ImageViewer({ images, at, onShow, onClose }: Props) {
  const image = images[at];
  const go = (step: number) => {
    if (images[at + step]) onShow(at + step);
  };
  const onKey = useEffectEvent(({ key }: KeyboardEvent) => {
    const isMirrored = getComputedStyle(document.documentElement).direction === 'rtl';
    if (key === 'ArrowRight') go(isMirrored ? -1 : 1);
    if (key === 'ArrowLeft') go(isMirrored ? 1 : -1);
  });
  useEffect(() => {
    const listen = (event: KeyboardEvent) => onKey(event);
    window.addEventListener('keydown', listen);
    return () => window.removeEventListener('keydown', listen);
  }, []);
  if (!image) return null;
  return (
    <Modal.Root opened onClose={onClose} size="auto" centered lockScroll={false}>
      <Modal.Overlay />
      <Modal.Content aria-label={image.name} className={classes.content ?? ''}>
        <Head image={image} at={at} count={images.length} onClose={onClose} />
        <div className={classes.stage}>
          <Shown key={image.id} image={image} />
          <Steps at={at} count={images.length} go={go} />
        </div>
      </Modal.Content>
    </Modal.Root>
  );
}

function Head({ image, at, count, onClose }: { image: MessageFile; at: number; count: number; onClose: () => void }) {
  const { t } = useText();
  const { save, isPending } = useSaveFile(image);
  return (
    <header className={classes.head}>
      <bdi className={`p-one-line ${classes.name}`} title={image.name}>
        {image.name}
      </bdi>
      {count > 1 ? (
        <output className={`p-meta ${classes.place}`}>
          {t(
            { id: 'files.viewer.place', defaultMessage: '{place, number} of {count, number}' },
            { place: at + 1, count },
          )}
        </output>
      ) : null}
      <IconButton
        icon={Download}
        size={32}
        loading={isPending}
        label={t({ id: 'files.viewer.save', defaultMessage: 'Download original' })}
        onClick={save}
      />
      <IconButton
        icon={X}
        size={32}
        data-autofocus
        label={t({ id: 'files.viewer.close', defaultMessage: 'Close' })}
        onClick={onClose}
      />
    </header>
  );
}

function Shown({ image: { id, name } }: { image: MessageFile }) {
  const { t } = useText();
  const { data, isError } = useFileImage(id);
  const [isBroken, setBroken] = useState(false);
  if (isError || isBroken)
    return (
      <Words isAlert>
        {t({
          id: 'files.viewer.failed',
          defaultMessage: 'The image couldn’t be loaded. You can download the original.',
        })}
      </Words>
    );
  if (!data) return <Words>{t({ id: 'files.viewer.loading', defaultMessage: 'Loading image…' })}</Words>;
  return <BlobImage blob={data} alt={name} className={classes.image} onError={() => setBroken(true)} />;
}

function Words({ isAlert = false, children }: { isAlert?: boolean; children: ReactNode }) {
  return (
    <p className={classes.words} role={isAlert ? 'alert' : 'status'}>
      {children}
    </p>
  );
}

/** Turns a button off at the first or last image, but lets it keep the focus for the next key. */
const endIf = (isEnd: boolean) => (isEnd ? { 'aria-disabled': true, 'data-disabled': true } : undefined);

function Steps({ at, count, go }: { at: number; count: number; go: (step: number) => void }) {
  const { t } = useText();
  if (count === 1) return null;
  return (
    <>
      <IconButton
        icon={ChevronLeft}
        isMirrored
        size={36}
        iconSize={20}
        variant="default"
        className={`${classes.step} ${classes.previous}`}
        label={t({ id: 'files.viewer.previous', defaultMessage: 'Previous image' })}
        {...endIf(at === 0)}
        onClick={() => go(-1)}
      />
      <IconButton
        icon={ChevronRight}
        isMirrored
        size={36}
        iconSize={20}
        variant="default"
        className={`${classes.step} ${classes.next}`}
        label={t({ id: 'files.viewer.next', defaultMessage: 'Next image' })}
        {...endIf(at === count - 1)}
        onClick={() => go(1)}
      />
    </>
  );
}
