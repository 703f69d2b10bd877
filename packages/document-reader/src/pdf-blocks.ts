// Runs inside the reader process: no decorators or parameter properties here, Node strips the types itself.
import type { Line } from './pdf-lines.ts';
import type { Block } from './split-passages.ts';

const longestTitle = 160;
/** What is so much larger than most of the text is a title. */
const titleSize = 1.15;
/** Lines that are further apart than most, by this much, are of two paragraphs. */
const paragraphGap = 1.3;
/** A line that ends before this part of the width ends on purpose. */
const shortLine = 0.75;
/** A line that stands at the edge of so many pages is a running title. */
const oftenOnPages = 0.5;
const fewPages = 4;
const fewLines = 6;
const item = /^(?:[•‣▪●○–*·-]|\(?\d{1,3}[.)]|[a-z]\))\s/u;
const eastAsian = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}。、，！？]/u;

type Paragraph = { readonly text: string; readonly size: number };
type Title = Paragraph & { readonly page: number; isUsed: boolean };

/** The paragraphs of all pages under the titles above them. */
export function blocksOfPages(all: readonly (readonly Line[])[]): Block[] {
  const pages = withoutRunningTitles(all);
  const usual = mostFrequent(pages.flat(), ({ size, text }) => [round(size), text.length]);
  const gap = mostFrequent(pages.flatMap(gapsOf), (each) => [round(each), 1]);
  const blocks: Block[] = [];
  let titles: Title[] = [];
  /** Titles with nothing below them are text themselves. */
  const take = (below: number): void => {
    for (const { text, page, isUsed } of titles.filter(({ size }) => size <= below))
      if (!isUsed) blocks.push({ titles: [], text, place: { kind: 'page', number: page } });
    titles = titles.filter(({ size }) => size > below);
  };
  for (const [at, page] of pages.entries())
    for (const { text, size } of paragraphsOf(page, gap)) {
      if (size > usual * titleSize && text.length <= longestTitle) {
        take(size);
        titles.push({ text, size, page: at + 1, isUsed: false });
        continue;
      }
      for (const title of titles) title.isUsed = true;
      blocks.push({ titles: titles.map((title) => title.text), text, place: { kind: 'page', number: at + 1 } });
    }
  take(Infinity);
  return blocks;
}

/** Titles and numbers that stand at the edge of most pages are no text of any. */
function withoutRunningTitles(pages: readonly (readonly Line[])[]): readonly (readonly Line[])[] {
  if (pages.length < fewPages) return pages;
  const counts = new Map<string, number>();
  for (const [at, page] of pages.entries())
    for (const key of new Set(edgeOf(page).flatMap((line) => keysOf(line, at))))
      counts.set(key, (counts.get(key) ?? 0) + 1);
  return pages.map((page, at) => {
    const isRunning = (line: Line): boolean =>
      /^\d{1,4}$/.test(line.text) ||
      keysOf(line, at).some((key) => (counts.get(key) ?? 0) > pages.length * oftenOnPages);
    const running = edgeOf(page).filter(isRunning);
    return page.filter((line) => !running.includes(line));
  });
}

/** The same on each page: as it stands, or with its first or last number counted from that of the page. */
function keysOf({ text }: Line, at: number): string[] {
  const fromPage = (found: string): string => `#${Number(found) - at}`;
  return [text, text.replace(/\d+/, fromPage), text.replace(/\d+(?=\D*$)/, fromPage)];
}

/** Two lines above and below, one where a page has few. */
function edgeOf(page: readonly Line[]): Line[] {
  const depth = page.length > fewLines ? 2 : 1;
  return [...page.slice(0, depth), ...page.slice(-depth)];
}

function paragraphsOf(page: readonly Line[], gap: number): Paragraph[] {
  const left = Math.min(...page.map((line) => line.left));
  const width = Math.max(...page.map((line) => line.right)) - left;
  const paragraphs: { text: string; size: number }[] = [];
  for (const [at, line] of page.entries()) {
    const above = page[at - 1];
    const open = paragraphs.at(-1);
    if (!open || !above || !isBelow(above, line, gap)) paragraphs.push({ text: line.text, size: round(line.size) });
    else if (isHyphenated(above, line)) open.text = open.text.slice(0, -1) + line.text;
    else {
      const end = above.isRtl ? left + width - above.left : above.right - left;
      const isEnded = end < width * shortLine || item.test(line.text);
      open.text += (isEnded ? '\n' : isUnspaced(above, line) ? '' : ' ') + line.text;
    }
  }
  return paragraphs;
}

const isBelow = (above: Line, { y, size }: Line, gap: number): boolean =>
  round(above.size) === round(size) && above.y > y && (above.y - y) / size <= gap * paragraphGap;
/** A word that was divided; `Ein- und Ausgang` was not. */
const isHyphenated = (above: Line, line: Line): boolean =>
  /\p{Ll}-$/u.test(above.text) && /^\p{Ll}/u.test(line.text) && !/^(?:und|oder|and|or)\s/.test(line.text);
const isUnspaced = (above: Line, line: Line): boolean =>
  eastAsian.test(above.text.slice(-1)) && eastAsian.test(line.text.slice(0, 1));

/** From line to line, in sizes of the lower one. */
const gapsOf = (page: readonly Line[]): number[] =>
  page.flatMap((line, at) => {
    const above = page[at - 1];
    return above && above.y > line.y && round(above.size) === round(line.size) ? (above.y - line.y) / line.size : [];
  });

const round = (value: number): number => Math.round(value * 10) / 10;

/** Where most of the weight lies; 1 where there is nothing. */
function mostFrequent<Each>(all: readonly Each[], weighed: (each: Each) => readonly [number, number]): number {
  const weights = new Map<number, number>();
  for (const [value, weight] of all.map(weighed)) weights.set(value, (weights.get(value) ?? 0) + weight);
  return [...weights].toSorted(([, one], [, other]) => other - one)[0]?.[0] ?? 1;
}
