import { splitHtml } from './split-html.ts';
import { packBlocks, splitMarkdown, splitPlainText, type Block } from './split-passages.ts';

/** Passages, or why there are none. */
export type ReaderAnswer = { readonly passages: Block[] } | { readonly failure: 'no-text' | 'not-utf8' };
export type SplitDocument = (content: Uint8Array, mediaType: string) => ReaderAnswer | Promise<ReaderAnswer>;

/** What the reader process does with a file. */
export const splitDocument: SplitDocument = (content, mediaType) => {
  let source: string;
  try {
    source = new TextDecoder('utf-8', { fatal: true }).decode(content).normalize('NFC');
  } catch {
    return { failure: 'not-utf8' };
  }
  const passages = packBlocks(split(mediaType, source));
  return passages.length === 0 ? { failure: 'no-text' } : { passages };
};

function split(mediaType: string, source: string): Block[] {
  if (mediaType === 'text/html') return splitHtml(source);
  return mediaType === 'text/markdown' ? splitMarkdown(source) : splitPlainText(source);
}
