import type { Trial } from '@parley/contracts';
import { useEffect, useRef } from 'react';
import { useText } from '../../../../lib/text.ts';
import { PassageText } from '../../../../domain/passage/passage-text.tsx';
import { PassageLocation } from '../../../../domain/passage/passage-location.tsx';
import classes from './found-passages.module.css';

type Props = {
  trial: Pick<Trial, 'found' | 'citations'>;
  /** The passage that is open, by the number that the answer cites it with. */
  open: number | null;
  onOpen: (number: number | null) => void;
};

/** What the search found for the question, best first: cited or not, with its score beside the best one's. */
export function FoundPassages({ trial: { found, citations }, open, onOpen }: Props) {
  const { t, intl } = useText();
  const cited = new Set(citations.map(({ number }) => number));
  const list = useRef<HTMLOListElement>(null);
  useEffect(() => {
    if (open !== null) list.current?.querySelector('details[open]')?.scrollIntoView({ block: 'nearest' });
  }, [open]);
  const best = Math.max(...found.map(({ score }) => score), 0);
  const score = (value: number) => intl.formatNumber(value, { minimumFractionDigits: 2, maximumFractionDigits: 2 });
  if (found.length === 0)
    return (
      <p className="p-sm p-quiet">{t({ id: 'studio.found.none', defaultMessage: 'No passage was found for it.' })}</p>
    );
  return (
    <section className={classes.found}>
      <header className={`p-meta ${classes.head}`}>
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
      <ol ref={list} className={classes.list}>
        {found.map((passage) => (
          <li key={passage.chunkId}>
            <details
              open={passage.number === open}
              onToggle={({ currentTarget: { open: isOpen } }) => {
                if (isOpen !== (passage.number === open)) onOpen(isOpen ? passage.number : null);
              }}
            >
              <summary className={`p-sm ${classes.row}`}>
                <span className={classes.number} data-cited={cited.has(passage.number) || undefined}>
                  {cited.has(passage.number) ? passage.number : '–'}
                </span>
                <span className={classes.names}>
                  <bdi>{passage.documentName}</bdi>
                  <PassageLocation className="p-meta" passage={passage} />
                </span>
                <span className={classes.track} aria-hidden="true">
                  <i style={{ inlineSize: `${best > 0 ? (passage.score / best) * 100 : 0}%` }} />
                </span>
                <span className={classes.score}>{score(passage.score)}</span>
              </summary>
              <div className={classes.text}>
                <PassageText text={passage.text} />
              </div>
            </details>
          </li>
        ))}
      </ol>
    </section>
  );
}
