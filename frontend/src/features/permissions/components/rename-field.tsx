import { useEffect, useRef } from 'react';
import classes from './rename-field.module.css';

type Props = {
  label: string;
  name: string;
  /** With null the name stays. */
  onDone: (name: string | null) => void;
};

/** In the place of the name. Enter and leaving keep the new one, Escape drops it. */
export function RenameField({ label, name, onDone }: Props) {
  const input = useRef<HTMLInputElement>(null);
  const isDone = useRef(false);
  useEffect(() => {
    input.current?.focus();
    input.current?.select();
  }, []);
  const finish = (next: string | null) => {
    if (isDone.current) return;
    isDone.current = true;
    const text = next?.trim();
    onDone(text && text !== name ? text : null);
  };
  return (
    <input
      ref={input}
      className={classes.rename}
      defaultValue={name}
      maxLength={60}
      dir="auto"
      aria-label={label}
      onBlur={(event) => finish(event.currentTarget.value)}
      onKeyDown={(event) => {
        if (event.key === 'Enter' && !event.nativeEvent.isComposing) finish(event.currentTarget.value);
        if (event.key === 'Escape') {
          event.stopPropagation();
          finish(null);
        }
      }}
    />
  );
}
