import { Button, PasswordInput } from '@mantine/core';
import { useEffect, useRef } from 'react';
import { useText } from '../../../lib/text.ts';
import { CopyOnce } from '../../../ui/copy-once.tsx';
import { Note } from '../../../ui/note.tsx';
import classes from '../parts/settings.module.css';
import type { MadeKey } from './create-key-dialog.tsx';

/** The secret of a new key, this once: it is nowhere else. */
export function MadeKeyNote({ made: { key, secret }, onClose }: { made: MadeKey; onClose: () => void }) {
  const { rich } = useText();
  const b = (chunks: unknown[]) => <b key="b">{chunks as string[]}</b>;
  return (
    <div className={classes.madeKey}>
      {secret === null ? (
        <Note kind="warning" actions={<Done onClose={onClose} />}>
          {rich(
            {
              id: 'settings.keys.lost',
              defaultMessage:
                '<b>Key “{name}” is created, but its text was lost on the way.</b> It cannot be shown again: revoke it and create another one.',
            },
            { b, name: key.name },
          )}
        </Note>
      ) : (
        <Note kind="success">
          {rich(
            {
              id: 'settings.keys.made',
              defaultMessage:
                '<b>Key “{name}” is created.</b> Copy it now: it is shown this once and kept only as a hash.',
            },
            { b, name: key.name },
          )}
          <Secret secret={secret} onClose={onClose} />
        </Note>
      )}
    </div>
  );
}

function Secret({ secret, onClose }: { secret: string; onClose: () => void }) {
  const { t } = useText();
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => button.current?.focus(), []);
  return (
    <CopyOnce
      text={secret}
      words={{
        field: t({ id: 'settings.keys.secret', defaultMessage: 'The new key' }),
        copy: t({ id: 'settings.keys.copy', defaultMessage: 'Copy key' }),
        copied: t({ id: 'settings.keys.copied', defaultMessage: 'Copied' }),
        notCopied: t({
          id: 'settings.keys.notCopied',
          defaultMessage: 'The browser did not let it be copied. It is selected: copy it by the keyboard.',
        }),
      }}
      draw={(field) => (
        <PasswordInput
          className={classes.secretField}
          defaultVisible
          autoComplete="off"
          visibilityToggleButtonProps={{
            'aria-label': t({ id: 'settings.keys.show', defaultMessage: 'Show or hide the key' }),
          }}
          {...field}
        />
      )}
      button={button}
      actions={<Done onClose={onClose} />}
    />
  );
}

function Done({ onClose }: { onClose: () => void }) {
  const { t } = useText();
  return (
    <Button variant="subtle" onClick={onClose}>
      {t({ id: 'settings.keys.done', defaultMessage: 'I have it' })}
    </Button>
  );
}
