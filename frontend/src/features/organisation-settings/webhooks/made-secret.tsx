import { Button } from '@mantine/core';
import { useText } from '../../../lib/text.ts';
import { CopyOnce } from '../../../ui/copy-once.tsx';
import { Note } from '../../../ui/note.tsx';

/** The secret of a webhook that is new or has moved to another host. It is stored nowhere in readable form. */
export function MadeSecret({ secret, onClose }: { secret: string; onClose: () => void }) {
  const { t } = useText();
  return (
    <Note kind="success">
      {t({
        id: 'organisation.webhooks.made',
        defaultMessage:
          'Give this secret to your server, so that it can check that messages come from Parley. It is shown only once.',
      })}
      <CopyOnce
        text={secret}
        words={{
          field: t({ id: 'organisation.webhooks.secret', defaultMessage: 'Secret of the webhook' }),
          copy: t({ id: 'organisation.webhooks.copy', defaultMessage: 'Copy secret' }),
          copied: t({ id: 'organisation.link.copied', defaultMessage: 'Copied' }),
          notCopied: t({
            id: 'organisation.link.notCopied',
            defaultMessage: 'The browser did not let it be copied. It is selected: copy it by the keyboard.',
          }),
        }}
        actions={
          <Button variant="subtle" onClick={onClose}>
            {t({ id: 'organisation.webhooks.done', defaultMessage: 'Done' })}
          </Button>
        }
      />
    </Note>
  );
}
