import { useEffect, useRef } from 'react';
import { useText } from '../../../lib/text.ts';
import classes from './conversation-list.module.css';

/** Enter and leaving keep the new title, Escape drops it. */
export function RenameField({ title, onDone }: { title: string; onDone: (title: string | null) => void }) {
  const { t } = useText();
  const input = useRef<HTMLInputElement>(null);
  const isDone = useRef(false);
  useEffect(() => {
    // The menu that led here gives its focus back first.
    const timer = setTimeout(() => input.current?.select(), 30);
    return () => clearTimeout(timer);
  }, []);
  const finish = (next: string | null) => {
    if (isDone.current) return;
    isDone.current = true;
    const text = next?.trim();
    onDone(text && text !== title ? text : null);
  };
  return (
    <input
      ref={input}
      className={classes.rename}
      defaultValue={title}
      maxLength={200}
      dir="auto"
      aria-label={t({ id: 'chat.rename.label', defaultMessage: 'New title' })}
      onBlur={(event) => finish(event.currentTarget.value)}
      onKeyDown={(event) => {
        if (event.key === 'Enter' && !event.nativeEvent.isComposing) finish(event.currentTarget.value);
        if (event.key === 'Escape') finish(null);
      }}
    />
  );
}
