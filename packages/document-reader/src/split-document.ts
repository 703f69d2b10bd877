import { splitHtml } from './split-html.ts';
import {
  packBlocks,
  splitMarkdown,
  splitPlainText,
  type Block,
  type Passage,
  type PassageSizes,
} from './split-passages.ts';
import { Unreadable, type Flaw, type Unread } from './unreadable.ts';
import type { Progress } from './progress.ts';

/** Passages, and what is attached but was not read; or why there are none. */
export type ReaderAnswer =
  | { readonly passages: Passage[]; readonly unread?: readonly Unread[] }
  | { readonly failure: Flaw };
/** Says what kind of file it is and how long its passages can be. */
export type Splitting = { readonly mediaType: string; readonly sizes: PassageSizes; readonly progress?: Progress };
export type SplitDocument = (
  content: Uint8Array<ArrayBuffer>,
  splitting: Splitting,
) => ReaderAnswer | Promise<ReaderAnswer>;

/** What the reader process does with a file. The parser of a kind is loaded with the first file of that kind. */
export const splitDocument: SplitDocument = async (content, { mediaType, sizes, progress = () => {} }) => {
  try {
    const unread: Unread[] = [];
    const blocks = await split(content, mediaType, { progress, onUnread: (one) => void unread.push(one) });
    const passages = packBlocks(blocks, sizes);
    if (passages.length === 0) return { failure: 'no-text' };
    return unread.length === 0 ? { passages } : { passages, unread };
  } catch (error) {
    if (error instanceof Unreadable) return { failure: error.flaw };
    throw error;
  }
};

const office = 'application/vnd.openxmlformats-officedocument.';

type Listening = { readonly progress: Progress; readonly onUnread: (one: Unread) => void };
const nobody: Listening = { progress: () => {}, onUnread: () => {} };

async function split(
  content: Uint8Array<ArrayBuffer>,
  mediaType: string,
  { progress, onUnread }: Listening,
): Promise<Block[]> {
  switch (mediaType) {
    case 'application/pdf':
      return (await import('./split-pdf.ts')).splitPdf(content, progress);
    case `${office}wordprocessingml.document`:
      return (await import('./split-word.ts')).splitWord(content);
    case `${office}spreadsheetml.sheet`:
      return (await import('./split-sheets.ts')).splitWorkbook(content);
    case `${office}presentationml.presentation`:
      return (await import('./split-slides.ts')).splitSlides(content);
    case 'message/rfc822':
      return (await import('./split-mail.ts')).splitMail(content, {
        split: (part, type) => split(part, type, nobody),
        onUnread,
      });
    case 'text/csv':
      return (await import('./split-sheets.ts')).splitCsv(textOf(content));
    case 'text/html':
      return splitHtml(textOf(content));
    case 'text/markdown':
      return splitMarkdown(textOf(content));
    default:
      return splitPlainText(textOf(content));
  }
}

function textOf(content: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(content).normalize('NFC');
  } catch {
    throw new Unreadable('not-utf8');
  }
}
