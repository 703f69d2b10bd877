import { Check, Copy } from 'lucide-react';
import { useState } from 'react';
import { copyText } from '../../../lib/clipboard.ts';
import { IconButton } from '../../../ui/icon-button.tsx';

const shownMs = 1500;

/** Copies a text, and says for a moment that it did. */
export function CopyButton({ text, label, copied }: { text: string; label: string; copied: string }) {
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
