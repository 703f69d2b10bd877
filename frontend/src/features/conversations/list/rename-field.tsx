import { useEffect, useRef } from 'react';
import { useText } from '../../../lib/text.ts';
import classes from './conversation-list.module.css';

type Props = {
  title: string;
  /** True in the header, where the field has the title's font. */
  isHeader?: boolean;
  longest?: number;
  /**
   * `title`: the new title, or null to keep the old one. `isByKey`: a key ended the editing, so the caller can move the
   * focus.
   */
  onDone: (title: string | null, isByKey: boolean) => void;
};

/** Replaces the title with a field. Enter or leaving the field saves the new title, Escape drops it. */
export function RenameField({ title, isHeader = false, longest = 200, onDone }: Props) {
  const { t } = useText();
  const input = useRef<HTMLInputElement>(null);
  const isDone = useRef(false);
  useEffect(() => {
    // Wait until the closing menu has seen where the focus is, so that it doesn't take the focus back. After a longer
    // wait, `select` would also select what the person has typed meanwhile.
    const timer = setTimeout(() => {
      input.current?.focus();
      input.current?.select();
    });
    return () => clearTimeout(timer);
  }, []);
  const finish = (next: string | null, isByKey: boolean) => {
    if (isDone.current) return;
    isDone.current = true;
    const text = next?.trim();
    onDone(text && text !== title ? text : null, isByKey);
  };
  return (
    <input
      ref={input}
      className={classes.rename}
      data-header={isHeader || undefined}
      defaultValue={title}
      maxLength={longest}
      dir="auto"
      aria-label={t({ id: 'chat.rename.label', defaultMessage: 'New title' })}
      onBlur={(event) => finish(event.currentTarget.value, false)}
      onKeyDown={(event) => {
        if (event.key === 'Enter' && !event.nativeEvent.isComposing) finish(event.currentTarget.value, true);
        if (event.key === 'Escape') finish(null, true);
      }}
    />
  );
}
