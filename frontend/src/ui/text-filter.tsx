import { TextInput } from '@mantine/core';
import { Search, X } from 'lucide-react';
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
      leftSection={<Search />}
      value={typed}
      maxLength={longest}
      dir="auto"
      aria-label={label}
      placeholder={label}
      onChange={(event) => setTyped(event.currentTarget.value)}
    />
  );
}

type ChipsProps<Value extends string> = {
  values: readonly Value[];
  nameOf: (value: Value) => string;
  chosen: Value | null;
  onChange: (chosen: Value | null) => void;
};

/** Filters a list by one of a few values: each has a chip, and a click on the chosen one removes the filter. */
export function ToggleChips<Value extends string>({ values, nameOf, chosen, onChange }: ChipsProps<Value>) {
  return values.map((value) => (
    <button
      key={value}
      type="button"
      className={table.chip}
      aria-pressed={chosen === value}
      onClick={() => onChange(chosen === value ? null : value)}
    >
      {nameOf(value)}
      {chosen === value ? <X size={14} /> : null}
    </button>
  ));
}
