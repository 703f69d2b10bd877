// Runs inside the reader process: no decorators or parameter properties here, Node strips the types itself.
import { cutTable, tableHead } from './table-text.ts';

/** Maximum characters of a passage and of its heading. A long table row stays whole up to four times `text`. */
export type PassageSizes = { readonly text: number; readonly heading: number };
/** A stretch of a document on one page, with the titles above it from the outermost on. */
export type Block = { readonly titles: readonly string[]; readonly text: string; readonly place?: Location };
/** A part of a document that is found and quoted, under one heading and on one page. */
export type Passage = { readonly heading: string | null; readonly text: string; readonly place?: Location };
/** Within an attachment of a mail it has the attachment's name. */
type Location = {
  readonly kind: 'page' | 'sheet' | 'slide' | 'attachment';
  readonly number: number;
  readonly attachment?: string;
};

/** Joins the titles above a passage, cut where they get too long. */
export function headingOf(titles: readonly string[], most: number): string | null {
  // Cut each title before joining: a title can be as long as its document.
  const cut = titles.filter(Boolean).map((title) => title.slice(0, most));
  const heading = cut.join(' › ').slice(0, most);
  return heading.replace(/[\uD800-\uDBFF]$/, '') || null;
}

/** Packs paragraphs of one heading into passages; longer paragraphs are cut at sentences. */
export function packBlocks(blocks: readonly Block[], sizes: PassageSizes): Passage[] {
  const passages: Passage[] = [];
  let open: (Passage & { text: string }) | null = null;
  for (const { titles, ...block } of blocks) {
    const under = { ...block, heading: headingOf(titles, sizes.heading) };
    for (const text of cutLong(block.text, sizes.text)) {
      if (open && isBeside(open, under) && open.text.length + text.length + 2 <= sizes.text) open.text += `\n\n${text}`;
      else {
        if (open) passages.push(open);
        open = { ...under, text };
      }
    }
  }
  if (open) passages.push(open);
  return passages;
}

/** Tells whether two parts have the same heading, page and attachment, so that they can be quoted as one. */
const isBeside = ({ heading, place }: Passage, other: Passage): boolean =>
  heading === other.heading &&
  place?.kind === other.place?.kind &&
  place?.number === other.place?.number &&
  place?.attachment === other.place?.attachment;

function cutLong(text: string, most: number): string[] {
  if (text.length <= most) return [text];
  const head = tableHead(text);
  if (head !== null && head.length < most / 2)
    return cutTable(text, head, most).flatMap((part) => (part.length <= 4 * most ? part : cutWords(part, most)));
  return cutWords(text, most);
}

function cutWords(text: string, most: number): string[] {
  const pieces: string[] = [];
  let rest = text;
  while (rest.length > most) {
    const window = rest.slice(0, most);
    const sentenceEnd = Math.max(...['. ', '? ', '! ', '。', '؟ ', '\n'].map((mark) => window.lastIndexOf(mark)));
    const cut = sentenceEnd > most / 3 ? sentenceEnd + 1 : Math.max(window.lastIndexOf(' '), most / 2) + 1;
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
  /** The level of the last heading while nothing has followed below it; otherwise 0. */
  let bare = 0;
  const add = (titles: string[], text: string) => {
    if (text !== '') blocks.push({ titles: titles.filter(Boolean), text });
  };
  const flush = () => {
    const text = lines.join('\n').trim();
    if (text !== '') bare = 0;
    add(path, text);
    lines = [];
  };
  const endSection = (level: number) => {
    flush();
    if (bare >= level) add(path.slice(0, bare - 1), path[bare - 1] ?? '');
    bare = level;
  };
  for (const line of source.split(/\r?\n/)) {
    const mark = /^\s{0,3}(```|~~~)/.exec(line)?.[1];
    if (mark && (fence === null || fence === mark)) fence = fence === null ? mark : null;
    const heading = fence === null ? /^\s{0,3}(#{1,6})\s+(.+?)\s*#*\s*$/.exec(line) : null;
    if (heading) {
      const [, marks = '', title = ''] = heading;
      endSection(marks.length);
      path.length = marks.length - 1;
      path[marks.length - 1] = title;
    } else if (line.trim() === '' && fence === null) flush();
    else lines.push(line);
  }
  endSection(0);
  return blocks;
}

export function splitPlainText(source: string): Block[] {
  return source
    .split(/\r?\n\s*\r?\n/)
    .map((text) => ({ titles: [], text: text.trim() }))
    .filter(({ text }) => text !== '');
}
