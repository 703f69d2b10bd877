// Runs inside the reader process: no decorators or parameter properties here, Node strips the types itself.

/** A run of text as pdf.js has it: in the order of reading within itself, whatever its direction. */
export type PdfItem = {
  readonly str: string;
  readonly transform: readonly number[];
  readonly width: number;
  readonly hasEOL: boolean;
};
export type Line = {
  readonly text: string;
  readonly size: number;
  readonly left: number;
  readonly right: number;
  readonly y: number;
  readonly isRtl: boolean;
};
type Run = {
  readonly text: string;
  readonly left: number;
  readonly right: number;
  readonly size: number;
  readonly y: number;
};

const rtlLetters = /[\p{Script=Arabic}\p{Script=Hebrew}]/gu;
const otherLetters = /[\p{L}\p{N}]/gu;
/** Letters as a font draws them at their place in a word, or tied together. */
const drawnLetters = /[\uFB00-\uFB06\uFB1D-\uFDFF\uFE70-\uFEFC]/g;
const invisible = /[\p{Cc}\p{Co}\uFFFD\u00AD]/gu;

export function linesOf(items: readonly PdfItem[]): Line[] {
  const lines: Line[] = [];
  let runs: Run[] = [];
  for (const item of items) {
    const text = item.str.replaceAll(invisible, '').replaceAll(drawnLetters, (letter) => letter.normalize('NFKC'));
    if (text !== '') runs.push(placed(item, text));
    if (!item.hasEOL) continue;
    lines.push(...lineOf(runs));
    runs = [];
  }
  return [...lines, ...lineOf(runs)];
}

function placed({ transform: [, , c = 0, d = 0, left = 0, y = 0], width }: PdfItem, text: string): Run {
  return { text, left, right: left + width, size: Math.hypot(c, d), y };
}

function lineOf(runs: readonly Run[]): Line[] {
  const isRtl = countOf(runs, rtlLetters) * 2 > countOf(runs, otherLetters);
  const text = inReadingOrder(runs, isRtl)
    .map((run) => run.text)
    .join('')
    .replaceAll(/\s+/g, ' ')
    .trim();
  const longest = runs.toSorted((one, other) => other.text.length - one.text.length)[0];
  if (text === '' || !longest) return [];
  const left = Math.min(...runs.map((run) => run.left));
  return [{ text, size: longest.size, left, right: Math.max(...runs.map((run) => run.right)), y: longest.y, isRtl }];
}

const countOf = (runs: readonly Run[], letters: RegExp): number =>
  runs.reduce((sum, { text }) => sum + (text.match(letters)?.length ?? 0), 0);

const directionOf = (run: Run): 'rtl' | 'ltr' | null =>
  countOf([run], rtlLetters) > 0 ? 'rtl' : countOf([run], otherLetters) > 0 ? 'ltr' : null;

/** Many programs write Arabic and Hebrew as it is seen, letter by letter from the left. */
function inReadingOrder(runs: readonly Run[], isRtl: boolean): readonly Run[] {
  if (countOf(runs, rtlLetters) === 0) return runs;
  const seen = runs.toSorted((one, other) => one.left - other.left);
  const ordered = isRtl ? seen.toReversed() : seen;
  const isTurned = (run: Run): boolean => directionOf(run) === (isRtl ? 'ltr' : 'rtl');
  const read: Run[] = [];
  for (let at = 0; at < ordered.length;) {
    let end = at;
    for (const [ahead, run] of ordered.slice(at).entries())
      if (isTurned(run)) end = at + ahead + 1;
      else if (end === at || run.text.trim() !== '') break;
    if (end > at) read.push(...ordered.slice(at, end).toReversed());
    else read.push(...ordered.slice(at, at + 1));
    at = Math.max(end, at + 1);
  }
  return read;
}
