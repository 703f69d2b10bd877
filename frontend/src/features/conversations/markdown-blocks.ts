import { useEffect, useMemo, useRef, useState } from 'react';
import type { MarkdownBlocks, MarkdownOptions } from './markdown.ts';

type Library = typeof import('./markdown.ts');
let library: Library | null = null;
/** Not part of the first load: a chat is usable before any answer is laid out. */
export const loadMarkdown = (): Promise<Library> => import('./markdown.ts').then((loaded) => (library = loaded));

const largeTail = 2048;
const largeTailEveryMs = 50;

export type Rendered = { blocks: readonly string[]; isLastOpen: boolean };

/** Null until the library is here: then the plain text is shown. */
export function useMarkdownBlocks(text: string, isComplete: boolean, options: MarkdownOptions): Rendered | null {
  const [loaded, setLoaded] = useState(library);
  useEffect(() => {
    if (!loaded) void loadMarkdown().then(setLoaded);
  }, [loaded]);
  const renderer = useMemo<MarkdownBlocks | null>(() => (loaded ? new loaded.MarkdownBlocks(options) : null), [loaded, options]);
  const last = useRef<{ renderer: MarkdownBlocks | null; at: number; tail: number; result: Rendered | null }>({ renderer: null, at: 0, tail: 0, result: null });
  const [, again] = useState(0);
  const now = performance.now();
  const isTooSoon = last.current.renderer === renderer && !isComplete && last.current.tail > largeTail && now - last.current.at < largeTailEveryMs;
  useEffect(() => {
    if (!isTooSoon) return undefined;
    const timer = setTimeout(() => again((count) => count + 1), largeTailEveryMs);
    return () => clearTimeout(timer);
  });
  return useMemo(() => {
    if (!renderer) return null;
    if (isTooSoon) return last.current.result;
    const result = renderer.update(text, isComplete);
    last.current = { renderer, at: now, tail: result.isLastOpen ? (result.blocks.at(-1)?.length ?? 0) : 0, result };
    return result;
    // `now` changes with each render and must not cause work by itself.
  }, [renderer, text, isComplete, isTooSoon]);
}
