import { lazyPart } from '../../../lib/lazy-part.tsx';
import { whenIdle } from '../../../lib/when-idle.ts';

/** One can type without it: the browser keeps the draft meanwhile. */
export const DraftNote = lazyPart(async () => {
  await whenIdle();
  return (await import('./draft-note/index.tsx')).DraftNote;
});
