import { useEffect, useRef } from 'react';
import { useText } from '../../../lib/text.ts';
import classes from './conversation-list.module.css';

type Props = {
  title: string;
  /** In the header it stands in the type of the title that it takes the place of. */
  isHeader?: boolean;
  longest?: number;
  /** With null the title stays. `isByKey`: nothing else has got the focus meanwhile. */
  onDone: (title: string | null, isByKey: boolean) => void;
};

/** In the place of the title. Enter and leaving keep the new one, Escape drops it. */
export function RenameField({ title, isHeader = false, longest = 200, onDone }: Props) {
  const { t } = useText();
  const input = useRef<HTMLInputElement>(null);
  const isDone = useRef(false);
  useEffect(() => {
    // The menu that led here gives its focus back first.
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
