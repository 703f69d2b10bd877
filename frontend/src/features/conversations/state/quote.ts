/**
 * Returns a passage as a Markdown quote with its source in the last line: `> text`, then `> — Handbook.pdf, Page 2`.
 */
export function quoteOf(text: string, source: string): string {
  const lines = [...text.trim().split('\n'), '', `— ${source}`];
  return lines.map((line) => (line.trim() === '' ? '>' : `> ${line}`)).join('\n');
}

/** Adds a quote below the typed text, with room to type below it. */
export const withQuote = (draft: string, quote: string): string =>
  `${draft.trim() === '' ? '' : `${draft.trimEnd()}\n\n`}${quote}\n\n`;

export type TextPart = { readonly isQuote: boolean; readonly text: string };

/** Splits a text into its quotes, without their `>`, and the text between them. Ignores lines of code. */
export function quotedParts(text: string): TextPart[] {
  const parts: { isQuote: boolean; lines: string[] }[] = [];
  let isCode = false;
  for (const line of text.split('\n')) {
    if (line.trimStart().startsWith('```')) isCode = !isCode;
    const isQuote = !isCode && line.startsWith('>');
    const last = parts.at(-1);
    const shown = isQuote ? line.replace(/^> ?/, '') : line;
    if (last?.isQuote === isQuote) last.lines.push(shown);
    else parts.push({ isQuote, lines: [shown] });
  }
  const all = parts.map(({ isQuote, lines }) => ({ isQuote, text: lines.join('\n').replace(/^\n+|\n+$/g, '') }));
  return all.filter((part) => part.text !== '');
}
