import DOMPurify from 'dompurify';
import { giveDirection } from './directions.ts';

const allowedTags = [
  'a',
  'b',
  'blockquote',
  'br',
  'button',
  'code',
  'del',
  'details',
  'div',
  'em',
  'h1',
  'h2',
  'h3',
  'h4',
  'h5',
  'h6',
  'hr',
  'i',
  'input',
  'kbd',
  'li',
  'mark',
  'ol',
  'p',
  'pre',
  's',
  'span',
  'strong',
  'sub',
  'summary',
  'sup',
  'table',
  'tbody',
  'td',
  'th',
  'thead',
  'tr',
  'ul',
];
const allowedAttributes = [
  'href',
  'title',
  'class',
  'start',
  'align',
  'type',
  'checked',
  'disabled',
  'dir',
  'data-cite',
  'data-act',
  'data-host',
  'target',
  'rel',
  'aria-label',
  'tabindex',
  'open',
];
const ownClass = /^(md-[a-z]+)( md-[a-z]+)*$/;
const purifier = DOMPurify();
/** Has no hooks. */
const mathPurifier = DOMPurify(window);
purifier.addHook('uponSanitizeElement', (node, { tagName }) => {
  if (tagName !== 'img' && tagName !== 'image') return;
  // Nothing is ever loaded from an address in an answer: the image becomes a link that names its host.
  const element = node as Element;
  const link = element.ownerDocument.createElement('a');
  const source = element.getAttribute('src') ?? element.getAttribute('href') ?? '';
  link.setAttribute('href', source);
  link.textContent = element.getAttribute('alt') || hostOf(source) || source.slice(0, 40);
  element.replaceWith(link);
});
purifier.addHook('afterSanitizeAttributes', (node) => {
  const element = node as Element;
  if (!ownClass.test(element.getAttribute('class') ?? '')) element.removeAttribute('class');
  if (element.tagName === 'INPUT' && element.getAttribute('type') !== 'checkbox') element.remove();
  if (element.tagName === 'BUTTON') element.setAttribute('type', 'button');
  giveDirection(element);
  if (element.tagName !== 'A') return;
  const host = hostOf(element.getAttribute('href') ?? '');
  if (host === null) return element.removeAttribute('href');
  element.setAttribute('target', '_blank');
  element.setAttribute('rel', 'noopener noreferrer');
  element.setAttribute('data-host', host);
  element.setAttribute('title', host);
});

/** Null for anything that is not http, https or mailto. */
export function hostOf(address: string): string | null {
  try {
    const url = new URL(address);
    if (url.protocol === 'mailto:') return url.pathname;
    return url.protocol === 'https:' || url.protocol === 'http:' ? url.host : null;
  } catch {
    return null;
  }
}

/** What may be shown of it, and nothing else; `finish` may change it once more. */
export function sanitize(html: string, finish?: (content: DocumentFragment) => void): string {
  const content = purifier.sanitize(html, {
    ALLOWED_TAGS: [...allowedTags, 'img'],
    ALLOWED_ATTR: [...allowedAttributes, 'src', 'alt'],
    ALLOW_DATA_ATTR: false,
    ALLOW_ARIA_ATTR: false,
    FORBID_ATTR: ['style', 'id', 'name'],
    RETURN_DOM_FRAGMENT: true,
  });
  finish?.(content);
  const holder = content.ownerDocument.createElement('div');
  holder.append(content);
  return holder.innerHTML;
}

/** What is drawn of a formula: MathML without addresses and styles. The page's own HTML can't hold any. */
export function sanitizeMath(mathml: string): string {
  return mathPurifier.sanitize(mathml, {
    USE_PROFILES: { mathMl: true },
    FORBID_ATTR: ['style', 'id', 'name', 'class', 'href', 'src'],
    ALLOW_DATA_ATTR: false,
  });
}
