import { useEffect, useMemo, useState } from 'react';
import { loadChunk } from '../../lib/load-chunk.ts';
import { whenIdle } from '../../lib/when-idle.ts';
import type { MarkdownBlocks, MarkdownOptions, Rendered } from './markdown.ts';

type Library = typeof import('./markdown.ts');
let library: Library | null = null;
/** Not part of the first load: a chat is usable before any answer is laid out. */
export const loadMarkdown = (): Promise<Library> =>
  loadChunk(() => import('./markdown.ts')).then((loaded) => (library = loaded));

type Colour = MarkdownOptions['colour'];
let colour: Colour = null;
const loadColours = (): Promise<Colour> =>
  loadChunk(() => import('./code-colours.ts')).then(({ colourCode }) => (colour = colourCode));

/** Null until there is code to colour, and until the library for it is here. */
function useCodeColours(isWanted: boolean): Colour {
  const [loaded, setLoaded] = useState(() => colour);
  useEffect(() => {
    if (isWanted && !loaded)
      loadColours().then(
        (found) => setLoaded(() => found),
        () => undefined,
      );
  }, [isWanted, loaded]);
  return loaded;
}

const fence = /^ {0,3}(```|~~~)/m;
const catchUpMs = 50;

/** Null until the library is here: then the plain text is shown. */
export function useMarkdownBlocks(
  text: string,
  isComplete: boolean,
  { words, sources }: Omit<MarkdownOptions, 'colour'>,
): Rendered | null {
  const [loaded, setLoaded] = useState(library);
  const [tick, setTick] = useState(0);
  const coloured = useCodeColours(loaded !== null && fence.test(text));
  useEffect(() => {
    if (!loaded)
      whenIdle()
        .then(loadMarkdown)
        .then(setLoaded, () => undefined);
  }, [loaded]);
  const renderer = useMemo<MarkdownBlocks | null>(
    () => (loaded ? new loaded.MarkdownBlocks({ words, sources, colour: coloured }) : null),
    [loaded, words, sources, coloured],
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
