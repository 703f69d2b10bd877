import { useEffect, useRef } from 'react';
import { useText } from '../../../lib/text.ts';
import classes from './conversation-list.module.css';

type Props = {
  title: string;
  /** In the header it has the font of the title. */
  isHeader?: boolean;
  longest?: number;
  /** Null keeps the title. `isByKey`: nothing else has taken the focus. */
  onDone: (title: string | null, isByKey: boolean) => void;
};

/** Replaces the title by a field. Enter and leaving save the new title, Escape drops it. */
export function RenameField({ title, isHeader = false, longest = 200, onDone }: Props) {
  const { t } = useText();
  const input = useRef<HTMLInputElement>(null);
  const isDone = useRef(false);
  useEffect(() => {
    // The menu that opened this gives its focus back first.
    const timer = setTimeout(() => {
      input.current?.focus();
      input.current?.select();
    }, 30);
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
