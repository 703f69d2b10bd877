import type { Locale } from '@parley/contracts';
import type { TextPart } from '@parley/contracts/pages';
import { loadFirstTexts, loadTexts, type MessageFiles, type Messages } from '../lib/messages.ts';

/** Named by the part behind the sign-in only: what visitors load does not grow with the pages that there are. */
const files: MessageFiles = import.meta.glob<Messages>(
  ['/compiled-messages/*.json', '!/compiled-messages/*.first.json'],
  { import: 'default' },
);

const loadPart = (locale: Locale, part: TextPart) =>
  part === 'first' ? loadFirstTexts(locale) : loadTexts(files, locale, part);

/** The texts of the parts, for `Texts`. */
export const textsOf =
  (parts: readonly TextPart[]) =>
  async (locale: Locale): Promise<Messages> =>
    Object.assign({}, ...(await Promise.all(parts.map((part) => loadPart(locale, part))))) as Messages;
