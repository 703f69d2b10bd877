import { Button, TextInput } from '@mantine/core';
import { Copy } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { copyText } from '../../../lib/clipboard.ts';
import { useLocale } from '../../../lib/paths.ts';
import { useText } from '../../../lib/text.ts';
import { Note } from '../../../ui/note.tsx';
import classes from './dialogs.module.css';

/** The address by which people join, this once: its secret is nowhere else. */
export function MadeLink({ token }: { token: string }) {
  const { t, rich } = useText();
  const locale = useLocale();
  const address = `${location.origin}/${locale}/invitation#${token}`;
  const [copied, setCopied] = useState<boolean | null>(null);
  const button = useRef<HTMLButtonElement>(null);
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    button.current?.focus();
    button.current?.scrollIntoView({ block: 'nearest' });
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
          id: 'organisation.link.ready',
          defaultMessage:
            '<b>The link is ready.</b> Copy it now: it is shown this once. Later you can replace or end it.',
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
          aria-label={t({ id: 'organisation.link.address', defaultMessage: 'Address of the link' })}
          onFocus={(event) => event.currentTarget.select()}
        />
        <Button ref={button} leftSection={<Copy size={16} strokeWidth={1.75} />} onClick={() => void copy()}>
          {t({ id: 'organisation.link.copy', defaultMessage: 'Copy link' })}
        </Button>
      </div>
      <output className={classes.copied}>
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
