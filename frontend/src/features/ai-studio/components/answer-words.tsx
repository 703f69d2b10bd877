import type { Citation } from '@parley/contracts';
import classes from './answer-words.module.css';

/** What was answered, as it was written; a number that refers to a source is drawn as one. */
export function AnswerWords({ text, citations }: { text: string; citations: readonly Citation[] }) {
  const sources = new Map(citations.map((citation) => [citation.number, citation]));
  return (
    <div className={classes.words} dir="auto">
      {text.split(/\[(\d{1,3})\]/).map((piece, at) => {
        if (at % 2 === 0) return piece;
        const source = sources.get(Number(piece));
        return source ? (
          // oxlint-disable-next-line react/no-array-index-key -- pieces of one text have no other identity
          <sup key={at} className={classes.cite} title={source.documentName}>
            {piece}
          </sup>
        ) : (
          `[${piece}]`
        );
      })}
    </div>
  );
}
