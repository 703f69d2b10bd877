import '@fontsource/stix-two-math/latin-400.css';
import katex from 'katex';
import { sanitizeMath } from './sanitize.ts';

/** Longer ones stay as they were typed. */
const longestTex = 4_000;
/**
 * MathML, which the browser lays out: KaTeX's HTML needs inline styles, and the page's policy has none.
 * `maxExpand`: macros that are replaced in one formula. `maxSize`: in em, of what may have any size.
 */
const options = { output: 'mathml', trust: false, strict: 'ignore', maxExpand: 500, maxSize: 20 } as const;
/** In characters of MathML. */
const mostDrawn = 20_000;
/** `maxExpand` counts replacements, not what they hold: a macro of the formula's own could multiply its text. */
const definition = /\\(?:[gex]?def|let|futurelet|(?:re)?newcommand|providecommand)(?![A-Za-z])/;
const mostKept = 500;
const kept = new Map<string, string | null>();

/** MathML of a formula in TeX, or null where it can't be read. A formula costs its time once, however often it is asked for. */
export function drawMath(tex: string, isBlock: boolean): string | null {
  if (tex.length > longestTex || definition.test(tex.replaceAll('\\\\', ''))) return null;
  const key = `${isBlock} ${tex}`;
  const known = kept.get(key);
  if (known !== undefined) return known;
  const drawn = draw(tex, isBlock);
  if (kept.size >= mostKept) kept.clear();
  kept.set(key, drawn);
  return drawn;
}

function draw(tex: string, isBlock: boolean): string | null {
  try {
    const drawn = katex.renderToString(tex, { ...options, displayMode: isBlock });
    return drawn.length > mostDrawn ? null : sanitizeMath(drawn);
  } catch (error) {
    if (error instanceof katex.ParseError || error instanceof RangeError) return null;
    throw error;
  }
}
