import { UnstyledButton } from '@mantine/core';
import type { MessageFile } from '@parley/contracts';
import { useState, type ReactNode } from 'react';
import { useText } from '../../../lib/text.ts';
import { useFileImage } from './use-file-image.ts';
import { BlobImage } from './blob-image.tsx';
import classes from './files.module.css';

type Props = {
  file: MessageFile;
  /** Shown if the image can't be loaded. */
  otherwise: ReactNode;
  onOpen: (button: HTMLElement) => void;
};

/** Shows a small image of a question, in its final size even before it is loaded. */
export function SentImage({ file: { id, name }, otherwise, onOpen }: Props) {
  const { t } = useText();
  const { data, isError } = useFileImage(id);
  const [broken, setBroken] = useState<Blob | null>(null);
  if (isError || (data && data === broken)) return otherwise;
  return (
    <UnstyledButton
      className={classes.thumb}
      title={name}
      aria-description={t({ id: 'files.sent.open', defaultMessage: 'Show large' })}
      aria-haspopup="dialog"
      aria-busy={!data}
      onClick={({ currentTarget }) => onOpen(currentTarget)}
    >
      {data ? (
        <BlobImage blob={data} alt={name} className={classes.cover} onError={() => setBroken(data)} />
      ) : (
        <span className="p-hidden">{name}</span>
      )}
    </UnstyledButton>
  );
}
