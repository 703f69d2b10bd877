import type { SharedMessage } from '@parley/contracts';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { api, isProblem } from '../../../lib/http.ts';
import { useProblemText } from '../../../lib/problem-texts.ts';
import { resourceKey } from '../../../lib/query-keys.ts';
import { useTab } from '../../../lib/tab-organisation.tsx';
import { useText } from '../../../lib/text.ts';
import { useLocationWords } from '../../../domain/passage/use-location-words.ts';
import { PassageText } from '../../../domain/passage/passage-text.tsx';
import classes from '../feedback.module.css';

type Cited = SharedMessage['citations'][number];

type Props = { cited: readonly Cited[]; open: number | null; onOpen: (number: number | null) => void };

/** What an answer cites, each opened by one's own right to read it. */
export function CaseSources({ cited, open, onOpen }: Props) {
  if (cited.length === 0) return null;
  return (
    <ul className={classes.sources}>
      {cited.map((one) => (
        <OneSource
          key={one.number}
          cited={one}
          isOpen={one.number === open}
          onOpen={() => onOpen(one.number === open ? null : one.number)}
        />
      ))}
    </ul>
  );
}

type OneProps = { cited: Cited; isOpen: boolean; onOpen: () => void };

function OneSource(props: OneProps) {
  const row = useRef<HTMLLIElement>(null);
  useEffect(() => {
    if (props.isOpen) row.current?.scrollIntoView({ block: 'nearest' });
  }, [props.isOpen]);
  return <li ref={row}>{props.cited.curatedAnswerId ? <CuratedSource {...props} /> : <PassageSource {...props} />}</li>;
}

function PassageSource({ cited: { number, chunkId }, ...opening }: OneProps) {
  const orgId = useTab().organisation.id;
  const { data, error } = useQuery({
    queryKey: resourceKey('passages', orgId, chunkId),
    queryFn: ({ signal }) => api('GET /api/chat/passages/:chunkId', { orgId, params: { chunkId }, signal }),
    staleTime: 60_000,
  });
  const words = useLocationWords();
  const name =
    data && [data.documentName, data.place ? words(data.place) : '', data.heading ?? ''].filter(Boolean).join(', ');
  return <Source number={number} name={name} text={data?.text} error={error} {...opening} />;
}

function CuratedSource({ cited: { number, curatedAnswerId }, ...opening }: OneProps) {
  const { t } = useText();
  const orgId = useTab().organisation.id;
  const { data, error } = useQuery({
    queryKey: resourceKey('curated-answers', orgId, 'quoted', curatedAnswerId),
    queryFn: ({ signal }) =>
      api('GET /api/chat/quoted-answers/:curatedAnswerId', {
        orgId,
        params: { curatedAnswerId: curatedAnswerId! },
        signal,
      }),
    staleTime: 60_000,
  });
  const name =
    data &&
    t(
      { id: 'feedback.source.curated', defaultMessage: 'Curated answer by {name}: {question}' },
      { name: `\u2068${data.by}\u2069`, question: `\u2068${data.question}\u2069` },
    );
  return <Source number={number} name={name} text={data?.text} error={error} {...opening} />;
}

type SourceProps = Omit<OneProps, 'cited'> & {
  number: number;
  name: string | undefined;
  text: string | undefined;
  error: unknown;
};

function Source({ number, name, text, error, isOpen, onOpen }: SourceProps) {
  const { t } = useText();
  const describe = useProblemText();
  if (error)
    return (
      <p className={classes.source}>
        <i className={classes.number}>{number}</i>
        <span className="p-quiet">
          {isProblem(error, 'chat.passage-not-found') || isProblem(error, 'chat.curated-answer-not-found')
            ? t({ id: 'feedback.source.gone', defaultMessage: 'This source is gone, or is not yours to read.' })
            : describe(error).text}
        </span>
      </p>
    );
  return (
    <div className={classes.source} aria-busy={!name}>
      <i className={classes.number} data-open={isOpen || undefined}>
        {number}
      </i>
      <button type="button" className={`p-plain ${classes.open}`} aria-expanded={isOpen} onClick={onOpen}>
        <bdi>{name ?? '…'}</bdi>
      </button>
      {isOpen && text !== undefined ? (
        <div className={classes.passage}>
          <PassageText text={text} />
        </div>
      ) : null}
    </div>
  );
}
