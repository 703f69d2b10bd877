import { useLayoutEffect, type KeyboardEvent, type RefObject } from 'react';
import classes from './question-field.module.css';

type Props = {
  ref: RefObject<HTMLTextAreaElement | null>;
  text: string;
  label: string;
  placeholder?: string;
  onText: (text: string) => void;
  onEnter: () => void;
  onEscape: () => void;
};

/** A field that grows with its text up to a part of the screen. Shift and Enter start a new line. */
export function QuestionField({ ref, text, label, placeholder, onText, onEnter, onEscape }: Props) {
  useLayoutEffect(() => {
    const element = ref.current;
    // Measures the text if CSS can't size the field by its content.
    if (!element || CSS.supports?.('field-sizing', 'content')) return;
    element.style.height = 'auto';
    element.style.height = `${element.scrollHeight}px`;
  }, [ref, text]);
  const press = (event: KeyboardEvent) => {
    // Ignores both keys in an input method, where Enter confirms a word and Escape undoes it.
    if (event.nativeEvent.isComposing) return;
    if (event.key === 'Escape') onEscape();
    if (event.key !== 'Enter' || event.shiftKey) return;
    event.preventDefault();
    onEnter();
  };
  return (
    <textarea
      ref={ref}
      className={classes.field}
      rows={1}
      // An empty field keeps the page's direction: "auto" would turn its placeholder left to right.
      dir={text === '' ? undefined : 'auto'}
      value={text}
      placeholder={placeholder}
      aria-label={label}
      onChange={(event) => onText(event.currentTarget.value)}
      onKeyDown={press}
      enterKeyHint="send"
    />
  );
}
