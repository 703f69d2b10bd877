import { useEffect, useState, type ReactNode } from 'react';
import type { IntlShape } from 'react-intl';
import { useLocale } from '../lib/paths.ts';
import { LateProblemWords } from '../lib/problem-texts.ts';

/** Gives words of problems once they are there. */
export function ProblemWords({ children }: { children: ReactNode }) {
  const locale = useLocale();
  const [words, setWords] = useState<IntlShape | null>(null);
  useEffect(() => {
    let isCurrent = true;
    import('./load-problem-words.ts')
      .then(({ loadProblemWords }) => loadProblemWords(locale))
      .then((loaded) => isCurrent && setWords(loaded))
      // Failures have general words then; the page itself needs none of these.
      .catch(() => undefined);
    return () => {
      isCurrent = false;
    };
  }, [locale]);
  return <LateProblemWords value={words}>{children}</LateProblemWords>;
}
