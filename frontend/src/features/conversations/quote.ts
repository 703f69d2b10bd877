/** A passage as a Markdown quote that names its source in the last line: `> text`, then `> — Handbook.pdf, Page 2`. */
export function quoteOf(text: string, source: string): string {
  const lines = [...text.trim().split('\n'), '', `— ${source}`];
  return lines.map((line) => (line.trim() === '' ? '>' : `> ${line}`)).join('\n');
}

/** What was written stays; the quote comes below it, and what is written next below that. */
export const withQuote = (draft: string, quote: string): string =>
  `${draft.trim() === '' ? '' : `${draft.trimEnd()}\n\n`}${quote}\n\n`;
