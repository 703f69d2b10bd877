import { parse, type DefaultTreeAdapterTypes } from 'parse5';
import type { Block } from './split-passages.ts';
import { tableText } from './table-text.ts';

type Node = DefaultTreeAdapterTypes.ChildNode;
const skipped = new Set(['script', 'style', 'template', 'noscript', 'svg', 'head', 'iframe', 'object', 'nav']);
const blockTags = new Set([
  'p',
  'div',
  'li',
  'td',
  'th',
  'tr',
  'pre',
  'blockquote',
  'section',
  'article',
  'br',
  'ul',
  'ol',
  'table',
  'dt',
  'dd',
  'figcaption',
  'main',
  'header',
  'footer',
  'body',
  'html',
]);

/**
 * The visible text of an HTML page as blocks under its headings. Walks without recursion, so nesting cannot exhaust the
 * stack.
 */
export function splitHtml(source: string): Block[] {
  const blocks: Block[] = [];
  const path: string[] = [];
  let text = '';
  const flush = () => {
    const clean = text.replaceAll(/[ \t\r\n]+/g, ' ').trim();
    if (clean !== '') blocks.push({ titles: path.filter(Boolean), text: clean });
    text = '';
  };
  const takeHeading = (level: number) => {
    const title = text.replaceAll(/\s+/g, ' ').trim();
    text = '';
    path.length = level - 1;
    path[level - 1] = title;
  };
  const stack: { node: Node; isEnd: boolean }[] = parse(source)
    .childNodes.toReversed()
    .map((node) => ({ node, isEnd: false }));
  for (let item = stack.pop(); item; item = stack.pop()) {
    const { node, isEnd } = item;
    if (node.nodeName === '#text' && 'value' in node) text += node.value;
    if (!('tagName' in node) || skipped.has(node.tagName)) continue;
    if (node.tagName === 'table' && !isEnd && !isLayout(node)) {
      flush();
      const { caption, rows } = partsOf(node);
      for (const own of [caption, tableText(rows)])
        if (own !== '') blocks.push({ titles: path.filter(Boolean), text: own });
      continue;
    }
    const level = /^h([1-6])$/.exec(node.tagName)?.[1];
    if (isEnd && level) takeHeading(Number(level));
    else if (level || blockTags.has(node.tagName)) flush();
    if (isEnd) continue;
    stack.push({ node, isEnd: true });
    for (const child of node.childNodes.toReversed()) stack.push({ node: child, isEnd: false });
  }
  flush();
  return blocks;
}

/** Whether a page is laid out by it: headings and tables stand in no row of figures. */
function isLayout(table: Node): boolean {
  const stack: Node[] = 'childNodes' in table ? [...table.childNodes] : [];
  for (let node = stack.pop(); node; node = stack.pop()) {
    if (!('tagName' in node)) continue;
    if (node.tagName === 'table' || /^h[1-6]$/.test(node.tagName)) return true;
    stack.push(...node.childNodes);
  }
  return false;
}

/** What stands above a table, and the texts of its cells, row by row. */
function partsOf(table: Node): { readonly caption: string; readonly rows: string[][] } {
  const rows: string[][] = [];
  let caption = '';
  let cell: string | null = null;
  const endCell = () => {
    if (cell !== null) rows.at(-1)?.push(cell.replaceAll(/\s+/g, ' ').trim());
    cell = null;
  };
  const stack: { node: Node; isEnd: boolean }[] = [{ node: table, isEnd: false }];
  for (let item = stack.pop(); item; item = stack.pop()) {
    const { node, isEnd } = item;
    if (node.nodeName === '#text' && 'value' in node && cell !== null) cell += node.value;
    if (!('tagName' in node) || skipped.has(node.tagName)) continue;
    const { tagName } = node;
    if (tagName === 'tr' && !isEnd) rows.push([]);
    if (tagName === 'caption' && isEnd) [caption, cell] = [(cell ?? '').replaceAll(/\s+/g, ' ').trim(), null];
    else if (['td', 'th', 'caption'].includes(tagName)) {
      endCell();
      if (!isEnd) cell = '';
    } else if (cell !== null && blockTags.has(tagName)) cell += ' ';
    if (isEnd) continue;
    stack.push({ node, isEnd: true });
    for (const child of node.childNodes.toReversed()) stack.push({ node: child, isEnd: false });
  }
  return { caption, rows };
}
