import { EndedNote } from '../features/sign-in/ended-note.tsx';
import { useLocale } from '../lib/paths.ts';
import type { Ended } from '../domain/session/session.ts';
import { Texts } from './locale-gate.tsx';
import { textsOf } from './page-texts.ts';

const endedTexts = textsOf(['ended']);

/** Comes with its texts only for who needs it: most people sign in without having been signed out. */
export const EndedNotice = ({ ended }: { ended: Ended }) => (
  <Texts locale={useLocale()} load={endedTexts}>
    <EndedNote ended={ended} />
  </Texts>
);
