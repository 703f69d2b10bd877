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
import { IconButton } from '../../../ui/icon-button.tsx';
import { PassageLocation } from '../../../domain/passage/passage-location.tsx';
import { LateTexts } from '../../../lib/late-texts.tsx';
import { FileSource } from './file-source.tsx';
import { SourcePassage, type Quoted } from './source-passage.tsx';
import classes from './sources-panel.module.css';

type Props = {
  citations: readonly Citation[];
  open: number;
  /** True if the document was shown until now: then the button that opened it takes the focus. */
  wasRead: boolean;
  onOpen: (number: number) => void;
  /** Shows the document of the open source. */
  onRead: () => void;
  /** Puts a passage into the composer; null for people who can't ask. */
  onQuote: ((quoted: Quoted) => void) | null;
  onClose: () => void;
};

/** Lists the sources of one answer; the open source shows its passage, marked in its context. */
export function SourcesPanel({ citations, open, wasRead, onOpen, onRead, onQuote, onClose }: Props) {
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
      className={`p-panel ${classes.panel}`}
      aria-label={t({ id: 'talk.sources.title', defaultMessage: 'Sources' })}
    >
      <header>
        <h2 className="p-h3">
          {t({ id: 'talk.sources.title', defaultMessage: 'Sources' })}{' '}
          <span className={classes.count}>{citations.length}</span>
        </h2>
        <IconButton
          icon={X}
          label={t({ id: 'talk.sources.close', defaultMessage: 'Close sources' })}
          onClick={onClose}
        />
      </header>
      <div className={classes.list}>
        {citations.map((citation) => (
          <section key={citation.number} className={classes.source} data-open={citation.number === open || undefined}>
            <button
              type="button"
              className={`p-sm ${classes.name}`}
              aria-expanded={citation.number === open}
              onClick={() => onOpen(citation.number)}
            >
              <i className={classes.number}>{citation.number}</i>
              <bdi className={classes.document}>{citation.documentName}</bdi>
              <PassageLocation className={classes.meta} passage={citation} />
              {citation.curated ? <CuratedBy {...citation.curated} /> : null}
            </button>
            {citation.number === open ? (
              citation.curated ? (
                <CuratedAnswer id={citation.curated.id} />
              ) : citation.fileId ? (
                <LateTexts part="files">
                  <FileSource
                    citation={{ ...citation, fileId: citation.fileId }}
                    hasFocus={wasRead}
                    onRead={onRead}
                    onQuote={onQuote}
                  />
                </LateTexts>
              ) : (
                <LateTexts part="viewer">
                  <SourcePassage citation={citation} hasFocus={wasRead} onRead={onRead} onQuote={onQuote} />
                </LateTexts>
              )
            ) : null}
          </section>
        ))}
      </div>
    </aside>
  );
}

type Curated = NonNullable<Citation['curated']>;

/** Marks a source that isn't a document: someone in the organisation wrote it as answer to this question. */
function CuratedBy({ by, at }: Curated) {
  const { rich } = useText();
  const { date } = useFormats();
  return (
    <span className={classes.meta}>
      {rich(
        { id: 'talk.sources.curated', defaultMessage: 'Curated answer by {name}, {date}' },
        { name: <bdi key="name">{by}</bdi>, date: date(at) },
      )}
    </span>
  );
}

/** Shows the curated answer in its current text, which can have changed. */
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
