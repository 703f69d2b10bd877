import { parse, type DefaultTreeAdapterTypes } from 'parse5';
import { headingOf, type Block } from './split-passages.ts';

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
    if (clean !== '') blocks.push({ heading: headingOf(path), text: clean });
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
