import { Button } from '@mantine/core';
import type { FormEvent, ReactNode } from 'react';
import { useText } from '../../../lib/text.ts';
import type { FormFailure } from '../../../lib/use-server-form.ts';
import { Dialog } from '../../../ui/dialog.tsx';
import { FormFailureNote } from '../../../ui/form-failure.tsx';
import { useActionOff } from '../../../ui/stale.tsx';
import form from '../../../ui/form.module.css';

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
    <Dialog title={title} onClose={onClose}>
      <form className={form.form} noValidate onSubmit={onSubmit}>
        {children}
        <FormFailureNote failure={failure}>{now ? <div>{now}</div> : null}</FormFailureNote>
        <div className={form.endsAtEnd}>
          <Button variant="subtle" onClick={onClose}>
            {t({ id: 'organisation.dialog.cancel', defaultMessage: 'Cancel' })}
          </Button>
          <Button type="submit" loading={isBusy} {...off}>
            {save}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
