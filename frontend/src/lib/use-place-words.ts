import type { PassagePlace } from '@parley/contracts';
import { useText } from './text.ts';

/** Where in its document a passage stands, in words. */
export function usePlaceWords(): (place: PassagePlace) => string {
  const { t } = useText();
  return ({ kind, number }) => {
    switch (kind) {
      case 'page':
        return t({ id: 'chat.place.page', defaultMessage: 'Page {number, number}' }, { number });
      case 'sheet':
        return t({ id: 'chat.place.sheet', defaultMessage: 'Sheet {number, number}' }, { number });
      case 'slide':
        return t({ id: 'chat.place.slide', defaultMessage: 'Slide {number, number}' }, { number });
    }
  };
}
