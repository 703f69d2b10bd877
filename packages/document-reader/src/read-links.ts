import { parse, type DefaultTreeAdapterTypes } from 'parse5';
import { SaxesParser } from 'saxes';

/** Of a page: what it is called, and where its links lead, as they stand there. Of a sitemap: what it lists. */
export type PageLinks = {
  readonly title: string | null;
  /** Links are relative to it where a page says so. */
  readonly base: string | null;
  readonly links: string[];
  /** What is listed are sitemaps again. */
  readonly isIndex: boolean;
  /** The page asks not to be found. */
  readonly isHidden: boolean;
};

/** A sitemap has at most 50,000 by its protocol; a page that leads to more is made by a program. */
const mostLinks = 50_000;
const longestLink = 2_000;
type Node = DefaultTreeAdapterTypes.ChildNode;
type Element = DefaultTreeAdapterTypes.Element;

/** What the reader process does with a page, or with XML. */
export const splitDocument = (content: Uint8Array, { mediaType }: { readonly mediaType: string }): PageLinks => {
  const source = new TextDecoder('utf-8').decode(content);
  return mediaType.endsWith('xml') && mediaType !== 'application/xhtml+xml'
    ? linksOfSitemap(source)
    : linksOfPage(source);
};

/** Walks without recursion, so nesting cannot exhaust the stack. */
function linksOfPage(source: string): PageLinks {
  const links: string[] = [];
  let title: string | null = null;
  let base: string | null = null;
  let isHidden = false;
  const stack: Node[] = parse(source).childNodes.toReversed();
  for (let node = stack.pop(); node; node = stack.pop()) {
    if (!('tagName' in node)) continue;
    if (node.tagName === 'title') title ??= textOf(node);
    if (node.tagName === 'base') base ??= attribute(node, 'href');
    if (node.tagName === 'meta' && attribute(node, 'name')?.toLowerCase() === 'robots')
      isHidden ||= /noindex|none/i.test(attribute(node, 'content') ?? '');
    const link = node.tagName === 'a' ? attribute(node, 'href') : null;
    if (link && link.length <= longestLink && links.length < mostLinks && attribute(node, 'rel') !== 'nofollow')
      links.push(link);
    for (const child of node.childNodes.toReversed()) stack.push(child);
  }
  return { title, base, links, isIndex: false, isHidden };
}

const attribute = ({ attrs }: Element, wanted: string): string | null =>
  attrs.find(({ name }) => name === wanted)?.value ?? null;

function textOf({ childNodes }: Element): string | null {
  const text = childNodes.map((node) => ('value' in node ? node.value : '')).join('');
  return text.replaceAll(/\s+/g, ' ').trim().slice(0, 250) || null;
}

/** By sitemaps.org. A document type is not read, so that nothing in it can grow. */
function linksOfSitemap(source: string): PageLinks {
  const links: string[] = [];
  const path: string[] = [];
  let text = '';
  const parser = new SaxesParser();
  parser.on('error', (error) => {
    throw error;
  });
  parser.on('opentag', ({ name }) => {
    path.push(name.replace(/^.*:/, ''));
    text = '';
  });
  parser.on('text', (more) => (text += more));
  parser.on('cdata', (more) => (text += more));
  parser.on('closetag', () => {
    const [name, parent] = [path.pop(), path.at(-1)];
    const isListed = name === 'loc' && (parent === 'url' || parent === 'sitemap');
    if (isListed && links.length < mostLinks && text.length <= longestLink) links.push(text.trim());
    if (path.length === 0) root = name ?? '';
  });
  let root = '';
  parser.write(source).close();
  if (root !== 'urlset' && root !== 'sitemapindex') throw new Error('This is no sitemap.');
  return { title: null, base: null, links, isIndex: root === 'sitemapindex', isHidden: false };
}
