import { Marked, type Tokens } from 'marked';
import remend, { INCOMPLETE_IMAGE_PLACEHOLDER, type RemendOptions } from 'remend';
import type { BlockAct } from './block-acts.ts';
import { placeCaret } from './caret.ts';
import classes from './answer-blocks.module.css';
import { drawAllMath, mathExtensions, withoutMath, type DrawMath } from './markdown-math.ts';
import { hostOf, sanitize } from './sanitize.ts';
import { tieCitations, tieFigures } from './tie-citations.ts';

/** Words inside the rendered answer; they come from the outside, for this chunk knows no language. */
export type MarkdownWords = {
  copy: string;
  code: string;
  image: string;
  /** Of code. */
  wrap: string;
  download: string;
  /** Of a table. */
  copyCsv: string;
  copyMarkdown: string;
};
export type MarkdownOptions = {
  words: MarkdownWords;
  /**
   * Numbers that open a source; others stay text. Null while the answer is written: any small number may become one.
   */
  sources: ReadonlySet<number> | null;
  /** Colours finished code: HTML of it, or null for a language that it does not know. */
  colour: ((code: string, language: string) => string | null) | null;
  /** Null until what draws formulas is loaded: they stay as they were typed. */
  drawMath: DrawMath | null;
};

const largestNumberWhileWriting = 50;
/** A tail longer than this is laid out at most every so many ms: a table or list of thousands of signs is one block. */
const largeTail = 2048;
const largeTailEveryMs = 50;

/**
 * HTML of the blocks so far; the last one may still change. `isBehind`: the newest text is not in it yet, ask again
 * soon. `className` is for what holds them: styles of code, tables and math, which come with this chunk.
 */
export type Rendered = { blocks: readonly string[]; isLastOpen: boolean; isBehind: boolean; className: string };

/** What is not read as signs once it has ended stays as it is while it is written. */
const mending: RemendOptions = {
  linkMode: 'text-only',
  singleTilde: false,
  comparisonOperators: false,
  htmlTags: false,
  katex: false,
};

const escapes: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
const escapeHtml = (text: string) => text.replace(/[&<>"']/g, (letter) => escapes[letter] ?? letter);

/** Of code or a table; what it does is in block-acts.ts. The title is for those that show no word. */
const button = (act: BlockAct, word: string): string =>
  `<button type="button" class="md-act md-${act}" data-act="${act}" title="${escapeHtml(word)}">${escapeHtml(word)}</button>`;

/** `isOpen`: what is being rendered may still grow. */
function createMarked({ words, sources, colour }: MarkdownOptions, isOpen: () => boolean): Marked {
  return new Marked({
    gfm: true,
    breaks: false,
    hooks: { emStrongMask: withoutMath },
    extensions: [
      ...mathExtensions(escapeHtml),
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
      code({ text, lang }: Tokens.Code) {
        const language = (lang ?? '').split(/\s/)[0] ?? '';
        const code = (isOpen() ? null : colour?.(text, language.toLowerCase())) ?? escapeHtml(text);
        return (
          `<div class="md-code" dir="ltr"><div class="md-codehead"><span>${escapeHtml(language || words.code)}</span>` +
          `${button('wrap', words.wrap)}${button('download', words.download)}${button('copy', words.copy)}</div>` +
          `<pre tabindex="0"><code>${code}</code></pre></div>`
        );
      },
      image: ({ href, text }: Tokens.Image) => {
        const named = text || href === INCOMPLETE_IMAGE_PLACEHOLDER ? text : (hostOf(href) ?? href.slice(0, 40));
        return `<a href="${escapeHtml(href)}">${escapeHtml(`${words.image}: ${named}`)}</a>`;
      },
      table(token: Tokens.Table) {
        const cell = (item: Tokens.TableCell, tag: string) =>
          `<${tag}${item.align ? ` align="${item.align}"` : ''}>${this.parser.parseInline(item.tokens)}</${tag}>`;
        const head = token.header.map((item) => cell(item, 'th')).join('');
        const body = token.rows.map((row) => `<tr>${row.map((item) => cell(item, 'td')).join('')}</tr>`).join('');
        const table = `<table><thead><tr>${head}</tr></thead><tbody>${body}</tbody></table>`;
        const acts = isOpen() ? '' : `${button('csv', words.copyCsv)}${button('markdown', words.copyMarkdown)}`;
        const foot = acts && `<div class="md-tablefoot">${acts}</div>`;
        return `<div class="md-tableplace"><div class="md-table" tabindex="0">${table}</div>${foot}</div>`;
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
  readonly #drawMath: DrawMath | null;
  /** The block that is being rendered may still grow: its code is coloured once it is finished. */
  #isOpen = false;
  #last: { at: number; tail: number; result: Rendered } | null = null;

  constructor(options: MarkdownOptions) {
    this.#drawMath = options.drawMath;
    this.#marked = createMarked(options, () => this.#isOpen);
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
    const open = isComplete || lastBlock < 0 ? [] : [this.#render(this.#mended(tokens.slice(lastBlock)), true)];
    const blocks = [...committed, ...open];
    return { blocks, isLastOpen: open.length > 0, isBehind: false, className: classes.blocks ?? '' };
  }

  /** As if what the block has opened so far, such as bold words, ended here: its signs are not shown until they do. */
  #mended(tokens: Tokens.Generic[]): Tokens.Generic[] {
    if (tokens[0]?.type === 'code' || tokens[0]?.type === 'mathBlock') return tokens;
    const raw = tokens.map((token) => token.raw).join('');
    const whole = remend(raw, mending);
    return whole === raw ? tokens : this.#marked.lexer(whole);
  }

  #reset(): void {
    this.#committed = [];
    this.#consumed = '';
  }

  #render(tokens: Tokens.Generic[], isOpen = false): string {
    this.#isOpen = isOpen;
    const html = this.#marked.parser(tokens as never);
    const close = html.replace(/\s*(<(?:button type="button"|span) class="md-cite")/g, '$1');
    return sanitize(close, (content) => {
      tieFigures(content);
      tieCitations(content);
      if (this.#drawMath) drawAllMath(content, this.#drawMath);
      if (isOpen) placeCaret(content);
    });
  }
}
