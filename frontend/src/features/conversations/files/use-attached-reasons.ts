import type { ChatFile, FileFailure } from '@parley/contracts';
import { useText } from '../../../lib/text.ts';
import { isFlaw, useFailureReasons } from '../../../domain/document/failure-reasons.ts';
import { isImageName } from '../state/images.ts';

type Reason = {
  readonly reason: string;
  /** True if the file itself is the reason, so that another attempt would end the same way. */
  readonly isFlaw: boolean;
};

/** Returns a function that says why a file of a question can't be used. */
export function useAttachedReasons(): (file: Pick<ChatFile, 'name' | 'failure'>) => Reason {
  const reasons = useFailureReasons();
  const ofFiles = useReasonsOfFiles();
  const ofImages = useReasonsOfImages();
  return ({ name, failure: told }) => {
    const failure = told ?? 'internal';
    const own = (isImageName(name) ? ofImages[failure] : undefined) ?? ofFiles[failure];
    const reason = own ?? (failure in reasons ? reasons[failure as keyof typeof reasons] : reasons.internal);
    return { reason, isFlaw: flaws.has(failure) || isFlaw(failure as keyof typeof reasons) };
  };
}

const flaws: ReadonlySet<FileFailure> = new Set([
  'image-too-large',
  'image-unreadable',
  'too-many-passages',
  'took-too-much-memory',
]);

function useReasonsOfFiles(): Partial<Record<FileFailure, string>> {
  const { t } = useText();
  return {
    'too-many-passages': t({
      id: 'files.state.tooLong',
      defaultMessage: 'It has more than 5,000 passages. Split it into several files.',
    }),
  };
}

function useReasonsOfImages(): Partial<Record<FileFailure, string>> {
  const { t } = useText();
  return {
    'image-too-large': t({
      id: 'files.failure.imageTooLarge',
      defaultMessage: 'It has more than 100 megapixels. Make it smaller and attach it again.',
    }),
    'image-unreadable': t({
      id: 'files.failure.imageUnreadable',
      defaultMessage:
        'This image can’t be read: it’s incomplete, or isn’t PNG, JPEG, WebP, GIF or AVIF. Open it, save it again as PNG or JPEG and attach that.',
    }),
    'took-too-long': t({
      id: 'files.failure.imageTookTooLong',
      defaultMessage: 'Reading this image took longer than 30 seconds and was stopped. Try again, or make it smaller.',
    }),
    'took-too-much-memory': t({
      id: 'files.failure.imageTookTooMuchMemory',
      defaultMessage:
        'Reading this image took too much memory and was stopped. Make it smaller or save it as JPEG, and attach that.',
    }),
  };
}
