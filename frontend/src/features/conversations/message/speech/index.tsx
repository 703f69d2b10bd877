import { quotedParts } from '../../state/quote.ts';
import classes from '../message.module.css';

/** Shows a person's text as typed; quoted lines look like a quote. `isWaiting`: the text isn't sent yet. */
export function Speech({ text, isWaiting }: { text: string; isWaiting: boolean }) {
  const parts = quotedParts(text);
  return (
    <div className={classes.speech} dir="auto" data-waiting={isWaiting || undefined}>
      {parts.some(({ isQuote }) => isQuote)
        ? parts.map(({ isQuote, text: words }, index) =>
            isQuote ? <blockquote key={index}>{words}</blockquote> : <div key={index}>{words}</div>,
          )
        : text}
    </div>
  );
}
