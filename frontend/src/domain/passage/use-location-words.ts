import type { PassageLocation } from '@parley/contracts';
import { useText } from '../../lib/text.ts';

/** Returns the words for where a passage is in its document. */
export function useLocationWords(): (place: PassageLocation) => string {
  const { t } = useText();
  const partOf = ({ kind, number }: PassageLocation): string => {
    switch (kind) {
      case 'page':
        return t({ id: 'chat.location.page', defaultMessage: 'Page {number, number}' }, { number });
      case 'sheet':
        return t({ id: 'chat.location.sheet', defaultMessage: 'Sheet {number, number}' }, { number });
      case 'slide':
        return t({ id: 'chat.location.slide', defaultMessage: 'Slide {number, number}' }, { number });
      case 'attachment':
        return t({ id: 'chat.location.attachment', defaultMessage: 'Attachment {number, number}' }, { number });
    }
  };
  return (place) => {
    if (!place.attachment) return partOf(place);
    const name = `\u2068${place.attachment}\u2069`;
    return place.kind === 'attachment'
      ? t({ id: 'chat.location.within', defaultMessage: 'In attachment {name}' }, { name })
      : t(
          { id: 'chat.location.partWithin', defaultMessage: '{part}, in attachment {name}' },
          { part: partOf(place), name },
        );
  };
}
