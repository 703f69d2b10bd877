import { TextInput } from '@mantine/core';
import { Search } from 'lucide-react';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import table from './table.module.css';
import { useFirstField } from './use-focus-on-mount.ts';

const typingPauseMs = 250;
const longest = 100;

/** A list's filter by words, which asks after a pause in typing; null is no filter. */
export function TextFilter({
  label,
  text,
  onChange,
}: {
  label: string;
  text: string | null;
  onChange: (text: string | null) => void;
}) {
  const [typed, setTyped] = useState(text ?? '');
  const [applied, setApplied] = useState(text);
  // Changed from outside, by the address or by clearing.
  if (applied !== text) {
    setApplied(text);
    if (typed.trim() !== (text ?? '')) setTyped(text ?? '');
  }
  const input = useRef<HTMLInputElement>(null);
  useFirstField(input);
  const tell = useEffectEvent(() => onChange(typed.trim() || null));
  useEffect(() => {
    if (typed.trim() === (text ?? '')) return undefined;
    const timer = setTimeout(tell, typingPauseMs);
    return () => clearTimeout(timer);
  }, [typed, text]);
  return (
    <TextInput
      ref={input}
      className={table.search}
      leftSection={<Search size={16} strokeWidth={1.75} aria-hidden="true" />}
      value={typed}
      maxLength={longest}
      dir="auto"
      aria-label={label}
      placeholder={label}
      onChange={(event) => setTyped(event.currentTarget.value)}
    />
  );
}
