import { useEffect, useMemo, useState } from 'react';
import { loadChunk } from '../../lib/load-chunk.ts';
import { whenIdle } from '../../lib/when-idle.ts';
import type { MarkdownBlocks, MarkdownOptions, Rendered } from './markdown.ts';

type Library = typeof import('./markdown.ts');
let library: Library | null = null;
/** Not part of the first load: a chat is usable before any answer is laid out. */
export const loadMarkdown = (): Promise<Library> =>
  loadChunk(() => import('./markdown.ts')).then((loaded) => (library = loaded));

const catchUpMs = 50;

/** Null until the library is here: then the plain text is shown. */
export function useMarkdownBlocks(text: string, isComplete: boolean, options: MarkdownOptions): Rendered | null {
  const [loaded, setLoaded] = useState(library);
  const [tick, setTick] = useState(0);
  useEffect(() => {
    if (!loaded)
      whenIdle()
        .then(loadMarkdown)
        .then(setLoaded, () => undefined);
  }, [loaded]);
  const renderer = useMemo<MarkdownBlocks | null>(
    () => (loaded ? new loaded.MarkdownBlocks(options) : null),
    [loaded, options],
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
