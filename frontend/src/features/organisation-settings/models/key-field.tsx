import { Button, PasswordInput } from '@mantine/core';
import type { Provider } from '@parley/contracts';
import { useRef, type ReactNode } from 'react';
import { useText } from '../../../lib/text.ts';
import form from '../../../ui/form.module.css';
import { Note } from '../../../ui/note.tsx';
import { useFocusOnMount } from '../../../ui/use-focus-on-mount.ts';
import classes from '../parts/organisation-settings.module.css';
import { hostOf, type ProviderDraft } from './provider-draft.ts';

type Props = {
  provider: Provider | null;
  draft: ProviderDraft;
  change: (part: Partial<ProviderDraft>) => void;
  error: ReactNode;
};

/** Keeps, replaces or erases the stored key. Nothing brings an erased one back, so that waits for saving. */
export function KeyField({ provider, draft, change, error }: Props) {
  const { t } = useText();
  const hint = provider?.keyHint;
  const isHostChanged = provider !== null && hostOf(provider.baseUrl) !== hostOf(draft.baseUrl);
  const about = hint
    ? isHostChanged
      ? t({
          id: 'organisation.key.hostChanged',
          defaultMessage: 'The stored key belongs to the old host. Enter the key for the new one.',
        })
      : t(
          {
            id: 'organisation.key.kept',
            defaultMessage: 'The stored key ends in {hint}. Leave this empty to keep it.',
          },
          { hint },
        )
    : t({
        id: 'organisation.key.optional',
        defaultMessage: 'Only if the server asks for one. It is stored sealed and never shown again.',
      });
  if (hint && draft.isKeyRemoved) return <RemovedKey hint={hint} onKeep={() => change({ isKeyRemoved: false })} />;
  return (
    <div className={classes.field}>
      <PasswordInput
        name="apiKey"
        label={t({ id: 'organisation.field.key', defaultMessage: 'Key' })}
        description={about}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        value={draft.apiKey}
        error={error}
        maxLength={500}
        dir="ltr"
        autoComplete="off"
        visibilityToggleButtonProps={{
          'aria-label': t({ id: 'form.password.show', defaultMessage: 'Show or hide the password' }),
        }}
        onChange={(event) => change({ apiKey: event.currentTarget.value })}
      />
      {hint ? (
        <div className={form.actions}>
          <Button variant="default" color="red" size="xs" onClick={() => change({ isKeyRemoved: true, apiKey: '' })}>
            {t({ id: 'organisation.key.remove', defaultMessage: 'Remove key' })}
          </Button>
        </div>
      ) : null}
    </div>
  );
}

function RemovedKey({ hint, onKeep }: { hint: string; onKeep: () => void }) {
  const { t } = useText();
  const button = useRef<HTMLButtonElement>(null);
  useFocusOnMount(button);
  const keep = (
    <Button ref={button} variant="default" size="xs" onClick={onKeep}>
      {t({ id: 'organisation.key.keep', defaultMessage: 'Keep key' })}
    </Button>
  );
  return (
    <div className={classes.field}>
      <span className={classes.label}>{t({ id: 'organisation.field.key', defaultMessage: 'Key' })}</span>
      <Note kind="warning" actions={keep}>
        {t(
          {
            id: 'organisation.key.removed',
            defaultMessage:
              'The stored key that ends in {hint} is erased when you save. Requests then go without a key.',
          },
          { hint },
        )}
      </Note>
    </div>
  );
}
