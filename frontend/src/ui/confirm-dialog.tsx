import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { useText } from '../lib/text.ts';
import { Dialog } from './dialog.tsx';
import { ErrorNote } from './error-note.tsx';
import { useActionOff } from './stale.tsx';
import form from './form.module.css';

type Props = {
  title: string;
  confirm: string;
  act: { isPending: boolean; error: unknown };
  onConfirm: () => void;
  onClose: () => void;
  children: ReactNode;
  /** What has to be entered before, such as a reason. */
  field?: ReactNode;
  /** The present state of what is changed, shown if somebody else changed it first. */
  now?: string | false | null;
};

/** Only for what cannot be undone. The filled red button lives here and nowhere else. */
export function ConfirmDialog({ title, confirm, act, onConfirm, onClose, children, field, now }: Props) {
  const { t } = useText();
  const off = useActionOff();
  return (
    <Dialog title={title} onClose={onClose}>
      <div className={form.form}>
        <p className="p-quiet">{children}</p>
        {field}
        <ErrorNote error={act.error}>{now}</ErrorNote>
        <div className={form.endsAtEnd}>
          <Button variant="subtle" onClick={onClose} data-autofocus>
            {t({ id: 'dialog.confirm.cancel', defaultMessage: 'Cancel' })}
          </Button>
          <Button color="red" loading={act.isPending} onClick={onConfirm} {...off}>
            {confirm}
          </Button>
        </div>
      </div>
    </Dialog>
  );
}
