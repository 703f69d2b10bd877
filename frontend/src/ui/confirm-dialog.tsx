import '@mantine/core/styles/Overlay.css';
import '@mantine/core/styles/ModalBase.css';
import '@mantine/core/styles/Modal.css';
import '@mantine/core/styles/CloseButton.css';
import { Button, Modal } from '@mantine/core';
import type { ReactNode } from 'react';
import { useText } from '../lib/text.ts';
import { Note } from './note.tsx';
import { useActionOff } from './stale.tsx';
import classes from './confirm-dialog.module.css';

type Props = {
  title: string;
  confirm: string;
  isBusy: boolean;
  error: string | null;
  onConfirm: () => void;
  onClose: () => void;
  children: ReactNode;
  /** What has to be entered before, such as a reason. */
  field?: ReactNode;
};

/** Only for what cannot be undone. The filled red button lives here and nowhere else. */
export function ConfirmDialog({ title, confirm, isBusy, error, onConfirm, onClose, children, field }: Props) {
  const { t } = useText();
  const off = useActionOff();
  return (
    <Modal
      opened
      onClose={onClose}
      size="26rem"
      withCloseButton={false}
      padding="lg"
      title={<span className="p-h2">{title}</span>}
    >
      <div className={classes.body}>
        <p className="p-quiet">{children}</p>
        {field}
        {error ? (
          <Note kind="danger" isAlert>
            {error}
          </Note>
        ) : null}
        <div className={classes.actions}>
          <Button variant="subtle" onClick={onClose} data-autofocus>
            {t({ id: 'dialog.confirm.cancel', defaultMessage: 'Cancel' })}
          </Button>
          <Button color="red" loading={isBusy} onClick={onConfirm} {...off}>
            {confirm}
          </Button>
        </div>
      </div>
    </Modal>
  );
}
