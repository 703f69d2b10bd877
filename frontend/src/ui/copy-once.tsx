import { Button, TextInput } from '@mantine/core';
import { Copy } from 'lucide-react';
import { useRef, useState, type FocusEvent, type ReactNode, type Ref } from 'react';
import { copyText } from '../lib/clipboard.ts';
import classes from './copy-once.module.css';

type Words = { readonly field: string; readonly copy: string; readonly copied: string; readonly notCopied: string };
type Props = {
  text: string;
  words: Words;
  /** Renders the field, for example as a password input; a plain text input if absent. */
  draw?: (field: ReturnType<typeof fieldOf>) => ReactNode;
  button?: Ref<HTMLButtonElement>;
  actions?: ReactNode;
};

const fieldOf = (value: string, label: string) => ({
  readOnly: true,
  dir: 'ltr' as const,
  value,
  'aria-label': label,
  onFocus: (event: FocusEvent<HTMLInputElement>) => event.currentTarget.select(),
});

/** Shows a text that can't be shown again, with a copy button. Selects the text if the browser blocks copying. */
export function CopyOnce({ text, words, draw, button, actions }: Props) {
  const [copied, setCopied] = useState<boolean | null>(null);
  const line = useRef<HTMLDivElement>(null);
  const copy = async () => {
    const isDone = await copyText(text);
    setCopied(isDone);
    if (!isDone) line.current?.querySelector('input')?.select();
  };
  const field = fieldOf(text, words.field);
  return (
    <>
      <div ref={line} className={classes.made}>
        {draw ? draw(field) : <TextInput className={classes.address} {...field} />}
        <Button ref={button} leftSection={<Copy />} onClick={() => void copy()}>
          {words.copy}
        </Button>
        {actions}
      </div>
      <output className={classes.copied}>{copied === null ? null : copied ? words.copied : words.notCopied}</output>
    </>
  );
}
