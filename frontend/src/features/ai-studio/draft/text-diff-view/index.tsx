import { useMemo } from 'react';
import { useText } from '../../../../lib/text.ts';
import { linesOf, piecesOf } from '../text-diff.ts';
import classes from './text-diff-view.module.css';

/** A text with its variables as tokens. */
export function WithVariables({ text }: { text: string }) {
  return piecesOf(text).map((piece, at) =>
    at % 2 === 1 ? (
      // oxlint-disable-next-line react/no-array-index-key -- pieces of one text have no other identity
      <bdi key={at} className={classes.variable}>
        {piece}
      </bdi>
    ) : (
      piece
    ),
  );
}

/** What became of a text, line by line: signs and words for screen readers, colours beside them. */
export function TextDiffView({ label, before, after }: { label: string; before: string; after: string }) {
  const { t } = useText();
  const lines = useMemo(() => linesOf(before, after), [before, after]);
  const words = {
    '+': t({ id: 'studio.diff.added', defaultMessage: 'added:' }),
    '-': t({ id: 'studio.diff.removed', defaultMessage: 'removed:' }),
    ' ': '',
  };
  return (
    // In the direction of the text, so that its numbers and signs stand beside it; what is ours is left out of it.
    <ol className={`p-sm ${classes.lines}`} aria-label={label} dir="auto">
      {lines.map(({ sign, number, text }) => (
        <li key={`${sign}${number}`} className={classes.line} data-sign={sign}>
          <span className={classes.number} aria-hidden="true">
            {number}
          </span>
          <span className={classes.sign} aria-hidden="true">
            {sign === '-' ? '−' : sign}
          </span>
          {sign === ' ' ? null : <bdi className="p-hidden">{words[sign]}</bdi>}
          <span className={classes.text}>
            <WithVariables text={text} />
          </span>
        </li>
      ))}
    </ol>
  );
}
