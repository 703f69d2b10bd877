import type { Locale } from '@parley/contracts';
import { createIntl, type IntlShape } from 'react-intl';
import { intlLocaleOf } from '../lib/locale.ts';
import { whenIdle } from '../lib/when-idle.ts';
import { textsOf } from './page-texts.ts';

/** Loads the words of problems when the page is idle: nobody waits for them before they can type. */
export async function loadProblemWords(locale: Locale): Promise<IntlShape> {
  await whenIdle();
  return createIntl({ locale: intlLocaleOf(locale), messages: await textsOf(['problem'])(locale) });
}
