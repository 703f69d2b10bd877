import type { Trial } from '@parley/contracts';
import { useText } from '../../../lib/text.ts';
import { PassagePlace } from '../../../ui/passage-place.tsx';
import classes from './found-passages.module.css';

/** What the search found for the question, best first: cited or not, with its score beside the best one's. */
export function FoundPassages({ trial: { found, citations } }: { trial: Pick<Trial, 'found' | 'citations'> }) {
  const { t, intl } = useText();
  const cited = new Set(citations.map(({ number }) => number));
  const best = Math.max(...found.map(({ score }) => score), 0);
  const score = (value: number) => intl.formatNumber(value, { minimumFractionDigits: 2, maximumFractionDigits: 2 });
  if (found.length === 0)
    return (
      <p className="p-sm p-quiet">{t({ id: 'studio.found.none', defaultMessage: 'No passage was found for it.' })}</p>
    );
  return (
    <section className={classes.found}>
      <header className={classes.head}>
        <h3>
          {t(
            {
              id: 'studio.found.title',
              defaultMessage: '{count, plural, one {# passage} other {# passages}} found, {cited} cited',
            },
            { count: found.length, cited: String(cited.size) },
          )}
        </h3>
        <span>{t({ id: 'studio.found.score', defaultMessage: 'score' })}</span>
      </header>
      <ol className={classes.list}>
        {found.map((passage) => (
          <li key={passage.chunkId}>
            <details>
              <summary className={classes.row}>
                <span className={classes.number} data-cited={cited.has(passage.number) || undefined}>
                  {cited.has(passage.number) ? passage.number : '–'}
                </span>
                <span className={classes.names}>
                  <bdi>{passage.documentName}</bdi>
                  <PassagePlace className="p-meta" passage={passage} />
                </span>
                <span className={classes.track} aria-hidden="true">
                  <i style={{ inlineSize: `${best > 0 ? (passage.score / best) * 100 : 0}%` }} />
                </span>
                <span className={classes.score}>{score(passage.score)}</span>
              </summary>
              <p className={classes.text} dir="auto">
                {passage.text}
              </p>
            </details>
          </li>
        ))}
      </ol>
    </section>
  );
}
