import type { FileFailure } from '@parley/contracts';
import { useText } from '../../lib/text.ts';
import { isFlaw, useFailureReasons } from '../../ui/document/failure-reasons.ts';

/** Why a file of a question can't be used, and whether that is because of the file itself. */
export function useAttachedReasons(): (failure: FileFailure) => { readonly reason: string; readonly isFlaw: boolean } {
  const { t } = useText();
  const reasons = useFailureReasons();
  return (failure) => {
    switch (failure) {
      case 'image-too-large':
        return {
          reason: t({
            id: 'files.failure.imageTooLarge',
            defaultMessage: 'It has more than 100 megapixels. Make it smaller and attach it again.',
          }),
          isFlaw: true,
        };
      case 'image-unreadable':
        return {
          reason: t({
            id: 'files.failure.imageUnreadable',
            defaultMessage:
              'This image can’t be read: it’s incomplete, or isn’t PNG, JPEG, WebP, GIF or AVIF. Open it, save it again as PNG or JPEG and attach that.',
          }),
          isFlaw: true,
        };
      case 'too-many-passages':
        return {
          reason: t({
            id: 'files.state.tooLong',
            defaultMessage: 'It has more than 5,000 passages. Split it into several files.',
          }),
          isFlaw: false,
        };
      default:
        return { reason: reasons[failure], isFlaw: isFlaw(failure) };
    }
  };
}
