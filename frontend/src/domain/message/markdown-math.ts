import type { TokenizerAndRendererExtension, Tokens } from 'marked';

/** MathML of a formula in TeX; null where it can't be drawn, undefined where a later task draws it. */
export type DrawMath = (tex: string, isBlock: boolean) => string | null | undefined;

/**
 * Math is `$…$`, `$$…$$`, `\(…\)` and `\[…\]`; until it is drawn it stays as it was typed. A dollar opens math before a
 * sign that is no gap, and closes it behind one, unless a digit follows: "$5 and $10" are prices.
 */
const blockMath =
  /^ {0,3}(?:\$\$(?:(?!\n[ \t]*\n|\$\$)[^])+\$\$|\\\[(?:(?!\n[ \t]*\n|\\[[\]])[^])+\\\])[ \t]*(?:\n+|$)/;
const inlineMath = [
  /^\$\$(?:(?!\n[ \t]*\n|\$\$)[^])+\$\$/,
  /^\$(?![\s$])(?:\\[^\n]|[^\\$\n])*?(?<![\s\\])\$(?![\d$])/,
  /^\\\((?:(?!\\[()])[^\n])+\\\)/,
  /^\\\[(?:(?!\\[[\]])[^\n])+\\\]/,
];
const inlineStart = /\$|\\[([]/;

export function findMath(text: string): string | undefined {
  return inlineMath.map((form) => form.exec(text)?.[0]).find((found) => found !== undefined);
}

/** Covers math, so that no emphasis begins or ends within it. A sign behind a backslash opens none. */
export function withoutMath(text: string): string {
  const signs = /\\[([]|\\[^]|\$/g;
  let masked = '';
  let from = 0;
  for (let sign = signs.exec(text); sign; sign = signs.exec(text)) {
    if (!inlineStart.test(sign[0]) || sign[0] === '\\$') continue;
    const math = findMath(text.slice(sign.index));
    const end = sign.index + (math?.length ?? 1);
    if (math) {
      masked += text.slice(from, sign.index) + 'a'.repeat(math.length);
      from = end;
    }
    signs.lastIndex = end;
  }
  return masked + text.slice(from);
}

function endOfParagraph(text: string): number {
  const end = text.search(/\n[ \t]*\n/);
  return end < 0 ? text.length : end;
}

export const mathExtensions = (escapeHtml: (text: string) => string): TokenizerAndRendererExtension[] => [
  {
    name: 'mathBlock',
    level: 'block',
    // Within the paragraph that is being read: what follows it is asked for in its turn.
    start: (text: string) => /\n {0,3}(?:\$\$|\\\[)/.exec(text.slice(0, endOfParagraph(text)))?.index,
    tokenizer(text: string) {
      const raw = blockMath.exec(text)?.[0];
      return raw === undefined ? undefined : { type: 'mathBlock', raw };
    },
    renderer: ({ raw }: Tokens.Generic) => `<div class="md-math" dir="ltr">${escapeHtml(raw.trim())}</div>`,
  },
  {
    name: 'math',
    level: 'inline',
    start: (text: string) => {
      const at = text.search(inlineStart);
      return at < 0 ? undefined : at;
    },
    tokenizer(text: string) {
      const raw = findMath(text);
      return raw === undefined ? undefined : { type: 'math', raw };
    },
    renderer: ({ raw }: Tokens.Generic) => `<span class="md-math" dir="ltr">${escapeHtml(raw)}</span>`,
  },
];

/** Prices are none: what draws formulas is large. */
export const hasMath = (text: string): boolean => inlineStart.test(text) && withoutMath(text) !== text;

/** Replaces each formula's source with its drawing; a formula that can't be drawn keeps its source. */
export function drawAllMath(content: DocumentFragment, draw: DrawMath): void {
  drawPlaces([...content.querySelectorAll('.md-math')], draw);
}

export function drawPlaces(places: readonly Element[], draw: DrawMath): void {
  for (const place of places) {
    const typed = place.textContent ?? '';
    const signs = typed.startsWith('$$') || typed.startsWith('\\') ? 2 : 1;
    const isBlock = place.tagName === 'DIV' || typed.startsWith('$$') || typed.startsWith('\\[');
    const drawn = draw(typed.slice(signs, -signs), isBlock);
    place.className = drawn === undefined ? 'md-math md-deferred' : 'md-math';
    if (typeof drawn !== 'string') continue;
    place.innerHTML = drawn;
    place.className = 'md-math md-drawn';
    place.setAttribute('title', typed);
  }
}
