import { useEffect, useMemo, useState, type RefObject } from 'react';
import { loadChunk } from '../../lib/load-chunk.ts';
import { whenIdle } from '../../lib/when-idle.ts';
import { hasMath } from './markdown-math.ts';
import type { MarkdownBlocks, MarkdownOptions, Rendered } from './markdown.ts';

type Library = typeof import('./markdown.ts');
let library: Library | null = null;
/** Not part of the first load: a chat is usable before any answer is laid out. */
export const loadMarkdown = (): Promise<Library> =>
  loadChunk(() => import('./markdown.ts')).then((loaded) => (library = loaded));

type Colour = MarkdownOptions['colour'];
type Late<Part> = { part: Part | null; readonly load: () => Promise<Part> };
const colours: Late<NonNullable<Colour>> = {
  part: null,
  load: () => loadChunk(() => import('./code-colours.ts')).then(({ colourCode }) => colourCode),
};
const maths: Late<typeof import('./math.ts')> = { part: null, load: () => loadChunk(() => import('./math.ts')) };

/** A part of the library that not every answer needs. Null until one is wanted, and until it is here. */
function useLate<Part>(late: Late<Part>, isWanted: boolean): Part | null {
  const [loaded, setLoaded] = useState(() => late.part);
  useEffect(() => {
    if (isWanted && !loaded)
      late.load().then(
        (part) => {
          late.part = part;
          setLoaded(() => part);
        },
        () => undefined,
      );
  }, [late, isWanted, loaded]);
  return loaded;
}

const fence = /^ {0,3}(```|~~~)/m;
const catchUpMs = 50;

/** Null until the library is here: then the plain text is shown. */
export function useMarkdownBlocks(
  text: string,
  isComplete: boolean,
  { words, sources }: Omit<MarkdownOptions, 'colour' | 'drawMath'>,
): Rendered | null {
  const [loaded, setLoaded] = useState(library);
  const [tick, setTick] = useState(0);
  const colour = useLate(colours, loaded !== null && fence.test(text));
  const math = useLate(maths, loaded !== null && (maths.part !== null || hasMath(text)));
  useEffect(() => {
    if (!loaded)
      whenIdle()
        .then(loadMarkdown)
        .then(setLoaded, () => undefined);
  }, [loaded]);
  const renderer = useMemo<MarkdownBlocks | null>(
    () => (loaded ? new loaded.MarkdownBlocks({ words, sources, colour, drawMath: math?.drawOrDefer ?? null }) : null),
    [loaded, words, sources, colour, math],
  );
  const result = useMemo(
    () => ({ tick, rendered: renderer?.update(text, isComplete) ?? null }),
    [renderer, text, isComplete, tick],
  );
  const isBehind = result.rendered?.isBehind ?? false;
  useEffect(() => {
    if (!isBehind) return undefined;
    const timer = setTimeout(() => setTick((count) => count + 1), catchUpMs);
    return () => clearTimeout(timer);
  }, [isBehind, result]);
  return result.rendered;
}

/** Draws the formulas that the render left for later. */
export function useDeferredMath(root: RefObject<Element | null>, rendered: Rendered | null): void {
  useEffect(() => (root.current ? maths.part?.drawDeferred(root.current) : undefined), [root, rendered]);
}
