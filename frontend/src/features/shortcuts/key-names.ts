import { defineMessages } from 'react-intl';
import { useText } from '../../lib/text.ts';

const words = defineMessages({
  control: { id: 'shortcuts.key.control', defaultMessage: 'Ctrl' },
  shift: { id: 'shortcuts.key.shift', defaultMessage: 'Shift' },
  enter: { id: 'shortcuts.key.enter', defaultMessage: 'Enter' },
  escape: { id: 'shortcuts.key.escape', defaultMessage: 'Esc' },
});
export type KeyName = keyof typeof words | '?' | '/' | '.' | '↓' | '↑' | 'A' | 'C' | 'E' | 'J' | 'K' | 'M' | 'N';

/** Keys as they are printed on keyboards of the reader's language; a Mac has ⌘. */
export function useKeyNames(isMac: boolean): (key: KeyName) => string {
  const { t } = useText();
  return (key) => (key === 'control' && isMac ? '⌘' : key in words ? t(words[key as keyof typeof words]) : key);
}
