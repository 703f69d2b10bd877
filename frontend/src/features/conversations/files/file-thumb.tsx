import { useState } from 'react';
import type { Attached } from '../state/attaching.ts';
import { useFileImage } from './use-file-image.ts';
import { BlobImage } from './blob-image.tsx';
import { FileIcon } from './file-icon.tsx';
import classes from './files.module.css';

/**
 * Shows a file's picture before its name on a card: the server's image or, until that is ready, the chosen one;
 * otherwise an icon.
 */
export function FileThumb({ name, preview, file }: Pick<Attached, 'preview'> & Partial<Attached> & { name: string }) {
  return file?.image ? (
    <StoredThumb id={file.id} name={name} preview={preview} />
  ) : (
    <Thumb name={name} image={preview} />
  );
}

function StoredThumb({ id, name, preview }: Pick<Attached, 'id' | 'preview'> & { name: string }) {
  const { data } = useFileImage(id);
  return <Thumb name={name} image={data ?? preview} />;
}

function Thumb({ name, image }: { name: string; image: Blob | null }) {
  const [broken, setBroken] = useState<Blob | null>(null);
  if (!image || image === broken) return <FileIcon name={name} className={classes.icon} />;
  return <BlobImage blob={image} alt="" className={classes.small} onError={() => setBroken(image)} />;
}
