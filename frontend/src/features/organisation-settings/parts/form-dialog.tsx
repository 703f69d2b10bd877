import '@mantine/core/styles/Overlay.css';
import '@mantine/core/styles/ModalBase.css';
import '@mantine/core/styles/Modal.css';
import '@mantine/core/styles/CloseButton.css';
import { Button, Modal } from '@mantine/core';
import type { FormEvent, ReactNode } from 'react';
import { useText } from '../../../lib/text.ts';
import type { FormFailure } from '../../../lib/use-server-form.ts';
import { FormFailureNote } from '../../../ui/form-failure.tsx';
import { useActionOff } from '../../../ui/stale.tsx';
import classes from './dialogs.module.css';

type Props = {
  title: string;
  save: string;
  isBusy: boolean;
  failure: FormFailure | null;
  /** How it stands now, where somebody else was faster. */
  now: string | null;
  onSubmit: (event: FormEvent<HTMLFormElement>) => void;
  onClose: () => void;
  children: ReactNode;
};

/** A few fields about one thing, in the middle of the window. */
export function FormDialog({ title, save, isBusy, failure, now, onSubmit, onClose, children }: Props) {
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
      <form className={classes.form} noValidate onSubmit={onSubmit}>
        {children}
        <FormFailureNote failure={failure}>{now ? <div>{now}</div> : null}</FormFailureNote>
        <div className={classes.actions}>
          <Button variant="subtle" onClick={onClose}>
            {t({ id: 'organisation.dialog.cancel', defaultMessage: 'Cancel' })}
          </Button>
          <Button type="submit" loading={isBusy} {...off}>
            {save}
          </Button>
        </div>
      </form>
    </Modal>
  );
}
