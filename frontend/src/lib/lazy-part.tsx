import { useEffect, useState, type ComponentType } from 'react';
import { loadChunk } from './load-chunk.ts';

/**
 * A component in a chunk of its own; nothing is shown while it loads. Not React.lazy: Suspense holds back what comes
 * within 300 ms after an empty fallback, and most of our parts are there in 30.
 */
export function lazyPart<Props extends object>(load: () => Promise<ComponentType<Props>>): ComponentType<Props> {
  let loaded: ComponentType<Props> | null = null;
  return function Part(props: Props) {
    const [Loaded, setLoaded] = useState<ComponentType<Props> | null>(() => loaded);
    const [error, setError] = useState<unknown>(null);
    useEffect(() => {
      if (loaded) return;
      loadChunk(load).then((part) => {
        loaded = part;
        setLoaded(() => part);
      }, setError);
    }, []);
    if (error) throw error;
    return Loaded ? <Loaded {...props} /> : null;
  };
}
