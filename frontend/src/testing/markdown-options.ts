import type { MarkdownOptions } from '../domain/message/markdown.ts';

/** With English words, no colours and no drawn formulas. */
export const markdownOptions: MarkdownOptions = {
  words: {
    copy: 'Copy',
    code: 'text',
    image: 'Image',
    wrap: 'Wrap lines',
    download: 'Download',
    copyCsv: 'Copy as CSV',
    copyMarkdown: 'Copy as Markdown',
  },
  sources: new Set([1, 2]),
  colour: null,
  drawMath: null,
};
