import { lazyPart } from '../../../lib/lazy-part.tsx';
import { whenIdle } from '../../../lib/when-idle.ts';

/** Loaded late, because the browser stores the draft meanwhile. */
export const DraftNote = lazyPart(async () => {
  await whenIdle();
  return (await import('./draft-note/index.tsx')).DraftNote;
});
