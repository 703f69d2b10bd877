import { useState, type DragEvent, type ReactNode } from 'react';
import { useText } from '../../../lib/text.ts';
import classes from './documents.module.css';

/** The whole page takes files. */
export function DropArea({
  isActive,
  onFiles,
  children,
}: {
  isActive: boolean;
  onFiles: (files: Iterable<File>) => void;
  children: ReactNode;
}) {
  const { t } = useText();
  const [depth, setDepth] = useState(0);
  const hasFiles = (event: DragEvent) => isActive && event.dataTransfer.types.includes('Files');
  return (
    <div
      className={classes.drop}
      onDragEnter={(event) => {
        if (!hasFiles(event)) return;
        event.preventDefault();
        setDepth((level) => level + 1);
      }}
      onDragOver={(event) => hasFiles(event) && event.preventDefault()}
      onDragLeave={(event) => hasFiles(event) && setDepth((level) => Math.max(0, level - 1))}
      onDrop={(event) => {
        if (!hasFiles(event)) return;
        event.preventDefault();
        setDepth(0);
        onFiles([...event.dataTransfer.files]);
      }}
    >
      {children}
      {depth > 0 ? (
        <div className={classes.dropHere}>
          {t({ id: 'documents.drop.here', defaultMessage: 'Drop the files to upload them' })}
        </div>
      ) : null}
    </div>
  );
}
