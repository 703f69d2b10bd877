import { useEffect, useState, type ReactNode } from 'react';
import { createIntl, type IntlShape } from 'react-intl';
import { intlLocaleOf } from '../lib/locale.ts';
import { useLocale } from '../lib/paths.ts';
import { LateProblemWords } from '../lib/problem-texts.ts';
import { whenIdle } from '../lib/when-idle.ts';
import { textsOf } from './page-texts.ts';

const load = textsOf(['problem']);

/** Loads the words of problems when the page is idle: nobody waits for them before they can type. */
export function ProblemWords({ children }: { children: ReactNode }) {
  const locale = useLocale();
  const [words, setWords] = useState<IntlShape | null>(null);
  useEffect(() => {
    let isCurrent = true;
    whenIdle()
      .then(() => load(locale))
      .then((messages) => isCurrent && setWords(createIntl({ locale: intlLocaleOf(locale), messages })))
      // Failures have general words then; the page itself needs none of these.
      .catch(() => undefined);
    return () => {
      isCurrent = false;
    };
  }, [locale]);
  return <LateProblemWords value={words}>{children}</LateProblemWords>;
}
