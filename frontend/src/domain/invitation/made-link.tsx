import { Button, TextInput } from '@mantine/core';
import { Copy } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { copyText } from '../../lib/clipboard.ts';
import { useLocale } from '../../lib/paths.ts';
import { useText } from '../../lib/text.ts';
import { Note } from '../../ui/note.tsx';
import classes from './made-link.module.css';

/** Returns the address of the invitation page with a secret, in the language of this page. */
export function useLinkAddress(): (token: string) => string {
  const locale = useLocale();
  return (token) => `${location.origin}/${locale}/invitation#${token}`;
}

/** The address by which people join, this once: its secret is nowhere else. */
export function MadeLink({ token }: { token: string }) {
  const { t, rich } = useText();
  const address = useLinkAddress()(token);
  const [copied, setCopied] = useState<boolean | null>(null);
  const button = useRef<HTMLButtonElement>(null);
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    button.current?.focus();
    // At the edge the foot of a dialog covers it.
    button.current?.scrollIntoView({ block: 'center' });
  }, []);
  const copy = async () => {
    const isDone = await copyText(address);
    setCopied(isDone);
    if (!isDone) field.current?.select();
  };
  return (
    <Note kind="success">
      {rich(
        {
          id: 'madeLink.ready',
          defaultMessage:
            '<b>The link is ready.</b> Copy it now: it is shown only once. You can replace or revoke it later.',
        },
        { b: (chunks) => <b>{chunks}</b> },
      )}
      <div className={classes.made}>
        <TextInput
          ref={field}
          className={classes.address}
          readOnly
          dir="ltr"
          value={address}
          aria-label={t({ id: 'madeLink.address', defaultMessage: 'Invitation link' })}
          onFocus={(event) => event.currentTarget.select()}
        />
        <Button ref={button} leftSection={<Copy size={16} strokeWidth={1.75} />} onClick={() => void copy()}>
          {t({ id: 'madeLink.copy', defaultMessage: 'Copy link' })}
        </Button>
      </div>
      <output className={classes.copied}>
        {copied === null
          ? null
          : copied
            ? t({ id: 'madeLink.copied', defaultMessage: 'Copied' })
            : t({
                id: 'madeLink.notCopied',
                defaultMessage: 'The browser blocked copying. The link is selected: copy it with the keyboard.',
              })}
      </output>
    </Note>
  );
}
