import { useQuery } from '@tanstack/react-query';
import type { Citation } from '@parley/contracts';
import { X } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { useFormats } from '../../../lib/formats.ts';
import { api } from '../../../lib/http.ts';
import { useProblemText } from '../../../lib/problem-texts.ts';
import { resourceKey } from '../../../lib/query-keys.ts';
import { useTab } from '../../../lib/tab-organisation.tsx';
import { useText } from '../../../lib/text.ts';
import { PassageText } from '../../../ui/answer/passage-text.tsx';
import { IconButton } from '../../../ui/icon-button.tsx';
import { PassagePlace } from '../../../ui/passage-place.tsx';
import classes from './sources-panel.module.css';

type Props = { citations: readonly Citation[]; open: number; onOpen: (number: number) => void; onClose: () => void };

/** The sources of one answer; the open one shows its passage, marked in its surroundings. */
export function SourcesPanel({ citations, open, onOpen, onClose }: Props) {
  const { t } = useText();
  const panel = useRef<HTMLElement>(null);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => event.key === 'Escape' && onClose();
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, [onClose]);
  useEffect(() => {
    panel.current?.querySelector<HTMLElement>('[aria-expanded="true"]')?.scrollIntoView({ block: 'nearest' });
  }, [open]);
  return (
    <aside
      ref={panel}
      className={classes.panel}
      aria-label={t({ id: 'chat.sources.title', defaultMessage: 'Sources' })}
    >
      <header className={classes.head}>
        <h2 className="p-h3">
          {t({ id: 'chat.sources.title', defaultMessage: 'Sources' })}{' '}
          <span className={classes.count}>{citations.length}</span>
        </h2>
        <IconButton
          icon={X}
          label={t({ id: 'chat.sources.close', defaultMessage: 'Close sources' })}
          onClick={onClose}
        />
      </header>
      <div className={classes.list}>
        {citations.map((citation) => (
          <section key={citation.number} className={classes.source} data-open={citation.number === open || undefined}>
            <button
              type="button"
              className={classes.name}
              aria-expanded={citation.number === open}
              onClick={() => onOpen(citation.number)}
            >
              <i className={classes.number}>{citation.number}</i>
              <bdi className={classes.document}>{citation.documentName}</bdi>
              <PassagePlace className={classes.meta} passage={citation} />
              {citation.curated ? <CuratedBy {...citation.curated} /> : null}
            </button>
            {citation.number === open ? (
              citation.curated ? (
                <CuratedAnswer id={citation.curated.id} />
              ) : (
                <Passage citation={citation} />
              )
            ) : null}
          </section>
        ))}
      </div>
    </aside>
  );
}

type Curated = NonNullable<Citation['curated']>;

/** It is no document: somebody of the organisation has written it for this question. */
function CuratedBy({ by, at }: Curated) {
  const { rich } = useText();
  const { date } = useFormats();
  return (
    <span className={classes.meta}>
      {rich(
        { id: 'chat.sources.curated', defaultMessage: 'Curated answer by {name}, {date}' },
        { name: <bdi key="name">{by}</bdi>, date: date(at) },
      )}
    </span>
  );
}

/** As it is now: it may have been changed since. */
function CuratedAnswer({ id }: Pick<Curated, 'id'>) {
  const describe = useProblemText();
  const orgId = useTab().organisation.id;
  const { data, error } = useQuery({
    queryKey: resourceKey('curated-answers', orgId, 'quoted', id),
    queryFn: ({ signal }) =>
      api('GET /api/chat/quoted-answers/:curatedAnswerId', { orgId, params: { curatedAnswerId: id }, signal }),
    staleTime: 60_000,
  });
  return (
    <p className={classes.curated} dir="auto" role={error ? 'alert' : undefined} aria-busy={!data && !error}>
      {error ? describe(error).text : data ? <mark>{data.text}</mark> : '…'}
    </p>
  );
}

function Passage({ citation }: { citation: Citation }) {
  const { t } = useText();
  const { exact, ago, date } = useFormats();
  const describe = useProblemText();
  const orgId = useTab().organisation.id;
  const { data, error } = useQuery({
    queryKey: resourceKey('passages', orgId, citation.chunkId),
    queryFn: ({ signal }) =>
      api('GET /api/chat/passages/:chunkId', { orgId, params: { chunkId: citation.chunkId }, signal }),
    staleTime: 60_000,
  });
  if (error)
    return (
      <p className={classes.note} role="alert">
        {describe(error).text}
      </p>
    );
  if (!data)
    return (
      <p className={classes.note} aria-busy="true">
        …
      </p>
    );
  return (
    <>
      <p className={classes.indexed} title={exact(data.indexedAt)}>
        {data.asOf
          ? t(
              { id: 'chat.sources.asOf', defaultMessage: 'As of {date}, indexed {time}' },
              { date: date(data.asOf), time: ago(data.indexedAt) },
            )
          : t({ id: 'chat.sources.indexed', defaultMessage: 'Index as of {time}' }, { time: ago(data.indexedAt) })}
      </p>
      <div className={classes.passage}>
        <PassageText text={data.text} around={data} />
      </div>
    </>
  );
}
