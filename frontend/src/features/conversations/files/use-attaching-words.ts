import { useText } from '../../../lib/text.ts';
import type { Attaching } from '../state/attaching.ts';

type Counts = {
  /** Counts the files that must be uploaded or read before the question can be sent. */
  readonly waiting: number;
  /** Counts the files that can't be used. */
  readonly failed: number;
};

/** Returns the composer's hint about its files, and why the question can't be sent yet. */
export function useAttachingWords({
  waiting,
  failed,
}: Counts): Pick<Attaching, 'reason' | 'hint' | 'whenReady' | 'isFlawed'> {
  const { t } = useText();
  const flawed = t({ id: 'files.attach.failed', defaultMessage: 'Remove failed files first' });
  if (failed > 0) return { reason: flawed, hint: flawed, whenReady: null, isFlawed: true };
  if (waiting === 0) return { reason: null, hint: null, whenReady: null, isFlawed: false };
  const waits = t(
    { id: 'files.attach.waits', defaultMessage: 'Send waits for {count, plural, one {# file} other {# files}}' },
    { count: waiting },
  );
  const whenReady = t(
    {
      id: 'files.attach.whenReady',
      defaultMessage: 'Sends when {count, plural, one {# file is} other {# files are}} ready',
    },
    { count: waiting },
  );
  return { reason: waits, hint: waits, whenReady, isFlawed: false };
}
