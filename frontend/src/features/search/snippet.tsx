import type { ReactNode } from 'react';
import classes from './search-palette.module.css';

/** The text around the match; ranges are marked, whatever order they come in. */
export function Snippet({ text, ranges }: { text: string; ranges: readonly (readonly [number, number])[] }) {
  const parts: ReactNode[] = [];
  let from = 0;
  for (const [start, end] of [...ranges].sort((a, b) => a[0] - b[0])) {
    if (start < from || end <= start || end > text.length) continue;
    parts.push(text.slice(from, start), <mark key={start}>{text.slice(start, end)}</mark>);
    from = end;
  }
  parts.push(text.slice(from));
  return (
    <span className={classes.snippet} dir="auto">
      {parts}
    </span>
  );
}
