import { useEffect, useRef } from 'react';
import classes from './rename-field.module.css';

type Props = {
  label: string;
  name: string;
  /** With null the name stays. */
  onDone: (name: string | null) => void;
};

/** In the place of the name. Enter and leaving keep the new one, Escape drops it; the focus goes back. */
export function RenameField({ label, name, onDone }: Props) {
  const input = useRef<HTMLInputElement>(null);
  const isDone = useRef(false);
  const isByKey = useRef(false);
  useEffect(() => {
    const opener = document.activeElement;
    input.current?.focus();
    input.current?.select();
    return () => {
      if (isByKey.current && opener instanceof HTMLElement) opener.focus();
    };
  }, []);
  const finish = (next: string | null, byKey: boolean) => {
    if (isDone.current) return;
    isDone.current = true;
    isByKey.current = byKey;
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
      onBlur={(event) => finish(event.currentTarget.value, false)}
      onKeyDown={(event) => {
        if (event.key === 'Enter' && !event.nativeEvent.isComposing) {
          // Else the same key presses the button that gets the focus.
          event.preventDefault();
          finish(event.currentTarget.value, true);
        }
        if (event.key === 'Escape') {
          event.stopPropagation();
          finish(null, true);
        }
      }}
    />
  );
}
