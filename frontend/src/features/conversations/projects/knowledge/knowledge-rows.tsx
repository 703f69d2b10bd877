import type { ChatFile, ProjectId } from '@parley/contracts';
import { HardDrive, X } from 'lucide-react';
import type { ReactNode } from 'react';
import { useText } from '../../../../lib/text.ts';
import { IconButton } from '../../../../ui/icon-button.tsx';
import { useActionOff } from '../../../../ui/stale.tsx';
import { FileIcon } from '../../files/file-icon.tsx';
import { UnreadState, UploadState } from '../../files/file-state.tsx';
import { useFileWords } from '../../files/use-file-words.ts';
import type { Upload } from '../../state/uploads.ts';
import classes from './knowledge.module.css';

type Removing = (() => void) | null;

/** Shows a connection; `name` is null if the person can't read it, or it no longer exists. */
export function ConnectionRow({
  name,
  isSaving,
  onRemove,
}: {
  name: string | null;
  isSaving: boolean;
  onRemove: Removing;
}) {
  const { t } = useText();
  const shown = name ?? t({ id: 'knowledge.connections.unseen', defaultMessage: 'Unavailable data connection' });
  return (
    <Row icon={<HardDrive size={18} className={classes.icon} />} name={shown} onRemove={isSaving ? null : onRemove}>
      {name
        ? t({ id: 'knowledge.connections.about', defaultMessage: 'Data connection · searched while you can read it' })
        : t({
            id: 'knowledge.connections.lost',
            defaultMessage: 'Deleted, or no longer shared with you: not searched',
          })}
    </Row>
  );
}

type FileProps = { file: ChatFile; onRemove: Removing; onRetry: () => void };

export function FileRow({ file, onRemove, onRetry }: FileProps) {
  const words = useFileWords();
  return (
    <Row icon={<FileIcon name={file.name} className={classes.icon} />} name={file.name} onRemove={onRemove}>
      {file.status === 'ready' ? (
        words({ use: 'searched', pages: file.pages })
      ) : (
        <UnreadState file={file} onRetry={onRetry} />
      )}
    </Row>
  );
}

type UploadProps = { upload: Upload<ProjectId>; onRemove: () => void; onRetry: () => void };

export function UploadRow({ upload, onRemove, onRetry }: UploadProps) {
  const { name } = upload.file;
  return (
    <Row icon={<FileIcon name={name} className={classes.icon} />} name={name} onRemove={onRemove} isLocal>
      <UploadState upload={upload} onRetry={onRetry} />
    </Row>
  );
}

type RowProps = {
  icon: ReactNode;
  name: string;
  onRemove: Removing;
  /** The server doesn't know the file yet. */
  isLocal?: boolean;
  children: ReactNode;
};

function Row({ icon, name, onRemove, isLocal = false, children }: RowProps) {
  const { t } = useText();
  const off = useActionOff();
  return (
    <li className={classes.row}>
      {icon}
      <div className={classes.about}>
        <bdi className={`p-sm p-one-line ${classes.name}`} title={name}>
          {name}
        </bdi>
        <div className="p-meta">{children}</div>
      </div>
      {onRemove ? (
        <IconButton
          icon={X}
          label={t({ id: 'knowledge.row.remove', defaultMessage: 'Remove {name}' }, { name })}
          onClick={onRemove}
          {...(isLocal ? {} : off)}
        />
      ) : null}
    </li>
  );
}
