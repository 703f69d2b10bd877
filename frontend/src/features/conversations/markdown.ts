import DOMPurify from 'dompurify';
import { Marked, type Tokens } from 'marked';

/** Words inside the rendered answer; they come from the outside, for this chunk knows no language. */
export type MarkdownWords = { copy: string; code: string; image: string };
export type MarkdownOptions = {
  words: MarkdownWords;
  /**
   * Numbers that open a source; others stay text. Null while the answer is written: any small number may become one.
   */
  sources: ReadonlySet<number> | null;
};

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
  'data-copy',
  'data-host',
  'target',
  'rel',
  'aria-label',
  'tabindex',
  'open',
];
const ownClass = /^(md-[a-z]+)( md-[a-z]+)*$/;
const largestNumberWhileWriting = 50;
/** A tail longer than this is laid out at most every so many ms: a table or list of thousands of signs is one block. */
const largeTail = 2048;
const largeTailEveryMs = 50;

/**
 * HTML of the blocks so far; the last one may still change. `isBehind`: the newest text is not in it yet, ask again
 * soon.
 */
export type Rendered = { blocks: readonly string[]; isLastOpen: boolean; isBehind: boolean };

const purifier = DOMPurify();
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
  if (element.tagName !== 'A') return;
  const host = hostOf(element.getAttribute('href') ?? '');
  if (host === null) return element.removeAttribute('href');
  element.setAttribute('target', '_blank');
  element.setAttribute('rel', 'noopener noreferrer');
  element.setAttribute('data-host', host);
  element.setAttribute('title', host);
});

/** Null for anything that is not http, https or mailto. */
function hostOf(address: string): string | null {
  try {
    const url = new URL(address);
    if (url.protocol === 'mailto:') return url.pathname;
    return url.protocol === 'https:' || url.protocol === 'http:' ? url.host : null;
  } catch {
    return null;
  }
}

export function sanitize(html: string): string {
  return purifier.sanitize(html, {
    ALLOWED_TAGS: [...allowedTags, 'img'],
    ALLOWED_ATTR: [...allowedAttributes, 'src', 'alt'],
    ALLOW_DATA_ATTR: false,
    ALLOW_ARIA_ATTR: false,
    FORBID_ATTR: ['style', 'id', 'name'],
  });
}

const escapes: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
const escapeHtml = (text: string) => text.replace(/[&<>"']/g, (letter) => escapes[letter] ?? letter);

function createMarked({ words, sources }: MarkdownOptions): Marked {
  return new Marked({
    gfm: true,
    breaks: false,
    extensions: [
      {
        name: 'citation',
        level: 'inline',
        start: (text: string) => text.search(/\[\d/),
        tokenizer(text: string) {
          const match = /^\[(\d{1,3})\](?![(:[])/.exec(text) ?? /^\[(\d{1,3})\](?=\[\d{1,3}\])/.exec(text);
          const number = Number(match?.[1]);
          const isSource = match && number > 0 && (sources ? sources.has(number) : number <= largestNumberWhileWriting);
          return isSource ? { type: 'citation', raw: match[0], number } : undefined;
        },
        renderer: ({ number }) =>
          sources
            ? `<button type="button" class="md-cite" data-cite="${Number(number)}">${Number(number)}</button>`
            : `<span class="md-cite">${Number(number)}</span>`,
      },
    ],
    renderer: {
      code: ({ text, lang }: Tokens.Code) =>
        `<div class="md-code" dir="ltr"><div class="md-codehead"><span>${escapeHtml((lang ?? '').split(/\s/)[0] || words.code)}</span>` +
        `<button type="button" class="md-copy" data-copy="1">${escapeHtml(words.copy)}</button></div><pre tabindex="0"><code>${escapeHtml(text)}</code></pre></div>`,
      image: ({ href, text }: Tokens.Image) =>
        `<a href="${escapeHtml(href)}">${escapeHtml(`${words.image}: ${text || (hostOf(href) ?? href.slice(0, 40))}`)}</a>`,
      table(token: Tokens.Table) {
        const cell = (item: Tokens.TableCell, tag: string) =>
          `<${tag}${item.align ? ` align="${item.align}"` : ''}>${this.parser.parseInline(item.tokens)}</${tag}>`;
        const head = token.header.map((item) => cell(item, 'th')).join('');
        const body = token.rows.map((row) => `<tr>${row.map((item) => cell(item, 'td')).join('')}</tr>`).join('');
        return `<div class="md-table" tabindex="0"><table><thead><tr>${head}</tr></thead><tbody>${body}</tbody></table></div>`;
      },
    },
  });
}

/**
 * Renders a growing text. Finished blocks are rendered once and kept; only the tail, the block still being written, is
 * parsed again. Every piece of HTML is sanitised, at every step.
 */
export class MarkdownBlocks {
  readonly #marked: Marked;
  #committed: string[] = [];
  #consumed = '';
  #last: { at: number; tail: number; result: Rendered } | null = null;

  constructor(options: MarkdownOptions) {
    this.#marked = createMarked(options);
  }

  update(text: string, isComplete: boolean): Rendered {
    const now = performance.now();
    const last = this.#last;
    if (last && !isComplete && last.tail > largeTail && now - last.at < largeTailEveryMs)
      return { ...last.result, isBehind: true };
    const result = this.#parse(text, isComplete);
    this.#last = { at: now, tail: text.length - this.#consumed.length, result };
    return result;
  }

  #parse(text: string, isComplete: boolean): Rendered {
    const normal = text.replace(/\r\n?/g, '\n');
    if (!normal.startsWith(this.#consumed)) this.#reset();
    const tokens = this.#marked.lexer(normal.slice(this.#consumed.length));
    const lastBlock = tokens.findLastIndex((token) => token.type !== 'space');
    const finished = isComplete ? tokens : tokens.slice(0, Math.max(0, lastBlock));
    const committed = [...this.#committed];
    for (const token of finished) {
      if (token.type !== 'space' && token.type !== 'def') committed.push(this.#render([token]));
      this.#consumed += token.raw;
    }
    this.#committed = committed;
    const open = isComplete || lastBlock < 0 ? [] : [this.#render(tokens.slice(lastBlock))];
    return { blocks: [...committed, ...open], isLastOpen: open.length > 0, isBehind: false };
  }

  #reset(): void {
    this.#committed = [];
    this.#consumed = '';
  }

  #render(tokens: Tokens.Generic[]): string {
    const html = this.#marked.parser(tokens as never);
    // A citation is tied to the word before it, so it never starts a line.
    return sanitize(html.replace(/\s*(<(?:button type="button"|span) class="md-cite")/g, '\u00a0$1'));
  }
}
