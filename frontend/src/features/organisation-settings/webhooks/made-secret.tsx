import { Button, TextInput } from '@mantine/core';
import { Copy } from 'lucide-react';
import { useRef, useState } from 'react';
import { copyText } from '../../../lib/clipboard.ts';
import { useText } from '../../../lib/text.ts';
import { Note } from '../../../ui/note.tsx';
import link from '../../../domain/invitation/made-link.module.css';

/** The secret of a webhook that is new or has moved to another host. It is stored nowhere in readable form. */
export function MadeSecret({ secret, onClose }: { secret: string; onClose: () => void }) {
  const { t } = useText();
  const [copied, setCopied] = useState<boolean | null>(null);
  const field = useRef<HTMLInputElement>(null);
  const copy = async () => {
    const isDone = await copyText(secret);
    setCopied(isDone);
    if (!isDone) field.current?.select();
  };
  return (
    <Note kind="success">
      {t({
        id: 'organisation.webhooks.made',
        defaultMessage:
          'Give this secret to your server, so that it can check that messages come from Parley. It is shown only once.',
      })}
      <div className={link.made}>
        <TextInput
          ref={field}
          className={link.address}
          readOnly
          dir="ltr"
          value={secret}
          aria-label={t({ id: 'organisation.webhooks.secret', defaultMessage: 'Secret of the webhook' })}
          onFocus={(event) => event.currentTarget.select()}
        />
        <Button leftSection={<Copy size={16} strokeWidth={1.75} />} onClick={() => void copy()}>
          {t({ id: 'organisation.webhooks.copy', defaultMessage: 'Copy secret' })}
        </Button>
        <Button variant="subtle" onClick={onClose}>
          {t({ id: 'organisation.webhooks.done', defaultMessage: 'Done' })}
        </Button>
      </div>
      <output className={link.copied}>
        {copied === null
          ? null
          : copied
            ? t({ id: 'organisation.link.copied', defaultMessage: 'Copied' })
            : t({
                id: 'organisation.link.notCopied',
                defaultMessage: 'The browser did not let it be copied. It is selected: copy it by the keyboard.',
              })}
      </output>
    </Note>
  );
}
