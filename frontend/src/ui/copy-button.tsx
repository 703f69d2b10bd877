import { Button } from '@mantine/core';
import { Check, Copy } from 'lucide-react';
import { useState } from 'react';
import { copyText } from '../lib/clipboard.ts';
import { IconButton } from './icon-button.tsx';

const shownMs = 1500;

type Props = { text: string; label: string; copied: string };

/** Copies a text, and says for a moment that it did. */
export function CopyIconButton({ text, label, copied }: Props) {
  const [isCopied, setCopied] = useState(false);
  const copy = async () => {
    if (!(await copyText(text))) return;
    setCopied(true);
    setTimeout(() => setCopied(false), shownMs);
  };
  return (
    <IconButton
      icon={isCopied ? Check : Copy}
      label={isCopied ? copied : label}
      onClick={() => void copy()}
      disabled={text === ''}
    />
  );
}

type ButtonProps = Props & {
  /** Is told whether the browser let it be copied. */
  onCopied?: (isDone: boolean) => void;
};

/** Copies a text, and says from then on that it did. */
export function CopyButton({ text, label, copied, onCopied }: ButtonProps) {
  const [isCopied, setCopied] = useState(false);
  const copy = async () => {
    const isDone = await copyText(text);
    setCopied(isDone);
    onCopied?.(isDone);
  };
  return (
    <Button variant="subtle" size="xs" leftSection={<Copy size={14} />} onClick={() => void copy()}>
      {isCopied ? copied : label}
    </Button>
  );
}
