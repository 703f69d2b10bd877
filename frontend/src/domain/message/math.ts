import '@fontsource/stix-two-math/latin-400.css';
import katex, { type KatexOptions } from 'katex';
import { drawPlaces, type DrawMath } from './markdown-math.ts';
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
/**
 * `maxExpand` counts replacements, not what they hold. A macro of the formula's own holds less than the formula, so
 * fewer replacements bound what they produce. With parameters, or expanded early, it could hold more.
 */
const definition = /\\(?:g?def|(?:re)?newcommand|providecommand)(?![A-Za-z])/;
const unbounded = /\\(?:[ex]def|let|futurelet|expandafter)(?![A-Za-z])/;
/** In characters. */
const mostProduced = 20_000;
const mostKept = 500;
const kept = new Map<string, string | null>();
const keyOf = (tex: string, isBlock: boolean) => `${isBlock} ${tex}`;
const mostPerTask = 5;
let leftInTask = mostPerTask;

/** MathML of a formula in TeX, or null where it can't be read. A formula costs its time once, however often it is asked for. */
export function drawMath(tex: string, isBlock: boolean): string | null {
  const maxExpand = mostReplaced(tex);
  if (tex.length > longestTex || maxExpand === null) return null;
  const key = keyOf(tex, isBlock);
  const known = kept.get(key);
  if (known !== undefined) return known;
  const drawn = draw(tex, { ...options, maxExpand, displayMode: isBlock });
  if (kept.size >= mostKept) kept.clear();
  kept.set(key, drawn);
  return drawn;
}

/** Draws what costs nothing and a few more in a task, whichever answers they belong to; leaves others for later. */
export const drawOrDefer: DrawMath = (tex, isBlock) =>
  kept.has(keyOf(tex, isBlock)) || takeTurn() ? drawMath(tex, isBlock) : undefined;

function takeTurn(): boolean {
  if (leftInTask === mostPerTask) setTimeout(() => (leftInTask = mostPerTask));
  if (leftInTask === 0) return false;
  leftInTask -= 1;
  return true;
}

/** Draws the formulas on the page that were left for later, a few in each task. Returns what ends it. */
export function drawDeferred(root: Element): () => void {
  const draw = () => {
    const places = [...root.querySelectorAll('.md-math.md-deferred')].slice(0, mostPerTask);
    if (places.length === 0) return;
    // First, so that one formula that fails doesn't end the others.
    timer = setTimeout(draw);
    for (const place of places) place.className = 'md-math';
    drawPlaces(places, drawMath);
  };
  let timer = setTimeout(draw);
  return () => clearTimeout(timer);
}

/** Returns the limit of macro expansions for a formula, or null if no limit keeps the work small. */
function mostReplaced(tex: string): number | null {
  const signs = tex.replaceAll('\\\\', '');
  if (unbounded.test(signs)) return null;
  if (!definition.test(signs)) return options.maxExpand;
  return signs.includes('#') ? null : Math.min(options.maxExpand, Math.floor(mostProduced / tex.length));
}

function draw(tex: string, settings: KatexOptions): string | null {
  try {
    const drawn = katex.renderToString(tex, settings);
    return drawn.length > mostDrawn ? null : sanitizeMath(drawn);
  } catch (error) {
    if (error instanceof katex.ParseError || error instanceof RangeError) return null;
    throw error;
  }
}
