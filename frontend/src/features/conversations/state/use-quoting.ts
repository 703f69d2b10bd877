import { useEffect, useImperativeHandle, useRef, useState, type RefObject } from 'react';
import { withQuote } from './quote.ts';

/** Adds a Markdown quote to the text in the composer. */
export type Quote = (text: string) => void;
/** Functions with which other parts of the page change the composer's text. */
export type Composing = { readonly quote: Quote };

/** Lets other parts add a quote to the draft; then focuses the field, with the cursor after the quote. */
export function useQuoting(
  composing: RefObject<Composing | null>,
  { text, setText }: { text: string; setText: (text: string) => void },
): RefObject<HTMLTextAreaElement | null> {
  const input = useRef<HTMLTextAreaElement>(null);
  const [quotes, setQuotes] = useState(0);
  useImperativeHandle(composing, () => ({
    quote: (quoted) => {
      setText(withQuote(text, quoted));
      setQuotes((count) => count + 1);
    },
  }));
  useEffect(() => {
    const field = input.current;
    if (quotes === 0 || !field) return;
    field.focus();
    field.setSelectionRange(field.value.length, field.value.length);
    field.scrollTop = field.scrollHeight;
  }, [quotes]);
  return input;
}
