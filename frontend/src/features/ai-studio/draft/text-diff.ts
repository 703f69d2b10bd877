import { diffLines } from 'diff';

export type DiffLine = {
  readonly sign: '+' | '-' | ' ';
  /** Its number in the text that it stands in: the old one of what is gone. */
  readonly number: number;
  readonly text: string;
};

/** What became of a text, line by line; of a change the old lines come first. */
export function linesOf(before: string, after: string): DiffLine[] {
  const lines: DiffLine[] = [];
  let [old, now] = [0, 0];
  for (const { value, added, removed } of diffLines(withEnd(before), withEnd(after)))
    for (const text of value.slice(0, -1).split('\n')) {
      if (removed) lines.push({ sign: '-', number: (old += 1), text });
      else {
        now += 1;
        if (!added) old += 1;
        lines.push({ sign: added ? '+' : ' ', number: now, text });
      }
    }
  return lines;
}

/** Else its last line would differ from the same line with another one behind it. */
const withEnd = (text: string): string => (text === '' ? '' : `${text}\n`);

/** Cut at what stands in double braces: every second piece is a variable. */
export const piecesOf = (text: string): string[] => text.split(/(\{\{[^{}]*\}\})/);
