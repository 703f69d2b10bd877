// Runs inside the reader process: no decorators or parameter properties here, Node strips the types itself.
import { cutTable, tableHead } from './table-text.ts';

/** A stretch of a document under one heading, on one page. */
export type Block = { readonly heading: string | null; readonly text: string; readonly place?: Place };
/** Within an attachment of a mail it has the attachment's name. */
type Place = {
  readonly kind: 'page' | 'sheet' | 'slide' | 'attachment';
  readonly number: number;
  readonly attachment?: string;
};

const passageCharacters = 900;
/** Of a heading and those above it: it stands above each of its passages, so a long one would be there often. */
const headingCharacters = 300;

/** What stands above a passage: the titles from the outermost on, cut where they get too long. */
export function headingOf(titles: readonly string[]): string | null {
  const heading = titles.filter(Boolean).join(' › ').slice(0, headingCharacters);
  return heading.replace(/[\uD800-\uDBFF]$/, '') || null;
}

/** Packs paragraphs of one heading into passages of about 900 characters; longer paragraphs are cut at sentences. */
export function packBlocks(blocks: readonly Block[]): Block[] {
  const passages: Block[] = [];
  let open: (Block & { text: string }) | null = null;
  for (const block of blocks) {
    for (const text of cutLong(block.text)) {
      if (open && isBeside(open, block) && open.text.length + text.length + 2 <= passageCharacters)
        open.text += `\n\n${text}`;
      else {
        if (open) passages.push(open);
        open = { ...block, text };
      }
    }
  }
  if (open) passages.push(open);
  return passages;
}

/** What is quoted stands under one heading, on one page and in one attachment. */
const isBeside = ({ heading, place }: Block, other: Block): boolean =>
  heading === other.heading &&
  place?.kind === other.place?.kind &&
  place?.number === other.place?.number &&
  place?.attachment === other.place?.attachment;

function cutLong(text: string): string[] {
  if (text.length <= passageCharacters) return [text];
  const head = tableHead(text);
  if (head !== null && head.length < passageCharacters / 2)
    return cutTable(text, head, passageCharacters).flatMap((part) =>
      part.length <= 4 * passageCharacters ? part : cutWords(part),
    );
  return cutWords(text);
}

function cutWords(text: string): string[] {
  const pieces: string[] = [];
  let rest = text;
  while (rest.length > passageCharacters) {
    const window = rest.slice(0, passageCharacters);
    const sentenceEnd = Math.max(...['. ', '? ', '! ', '。', '؟ ', '\n'].map((mark) => window.lastIndexOf(mark)));
    const cut =
      sentenceEnd > passageCharacters / 3
        ? sentenceEnd + 1
        : Math.max(window.lastIndexOf(' '), passageCharacters / 2) + 1;
    pieces.push(rest.slice(0, cut).trim());
    rest = rest.slice(cut).trim();
  }
  return rest === '' ? pieces : [...pieces, rest];
}

/** Markdown by its ATX headings and blank lines; fenced code stays whole and its lines are no headings. */
export function splitMarkdown(source: string): Block[] {
  const path: string[] = [];
  const blocks: Block[] = [];
  let lines: string[] = [];
  let fence: string | null = null;
  const flush = () => {
    const text = lines.join('\n').trim();
    if (text !== '') blocks.push({ heading: headingOf(path), text });
    lines = [];
  };
  for (const line of source.split(/\r?\n/)) {
    const mark = /^\s{0,3}(```|~~~)/.exec(line)?.[1];
    if (mark && (fence === null || fence === mark)) fence = fence === null ? mark : null;
    const heading = fence === null ? /^\s{0,3}(#{1,6})\s+(.+?)\s*#*\s*$/.exec(line) : null;
    if (heading) {
      const [, marks = '', title = ''] = heading;
      flush();
      path.length = marks.length - 1;
      path[marks.length - 1] = title.slice(0, headingCharacters);
    } else if (line.trim() === '' && fence === null) flush();
    else lines.push(line);
  }
  flush();
  return blocks;
}

export function splitPlainText(source: string): Block[] {
  return source
    .split(/\r?\n\s*\r?\n/)
    .map((text) => ({ heading: null, text: text.trim() }))
    .filter(({ text }) => text !== '');
}
