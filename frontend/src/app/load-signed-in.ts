import { loadChunk } from '../lib/load-chunk.ts';

/** The signed-in part is one chunk of its own; the visitor pages never load it. */
export const loadSignedIn = () => loadChunk(() => import('./signed-in.tsx'));
