import { Button } from '@mantine/core';
import type { Citation } from '@parley/contracts';
import { useEffect, useRef } from 'react';
import { useFormats } from '../../../lib/formats.ts';
import { isProblem } from '../../../lib/http.ts';
import { useProblemText } from '../../../lib/problem-texts.ts';
import { useText } from '../../../lib/text.ts';
import { PassageText } from '../../../domain/passage/passage-text.tsx';
import { DocumentState } from '../../../domain/document/document-state.tsx';
import { DownloadButton } from '../../../domain/document/download-button.tsx';
import { useOpened, usePassage } from '../../../domain/document/viewed.ts';
import { WebLink } from '../../../domain/document/web-link.tsx';
import classes from './sources-panel.module.css';

export type Quoted = { readonly text: string; readonly citation: Citation };

type Props = { citation: Citation; hasFocus: boolean; onRead: () => void; onQuote: ((quoted: Quoted) => void) | null };

/** Shows the cited passage, as far as it is stored, and actions on its document. */
export function SourcePassage({ citation, hasFocus, onRead, onQuote }: Props) {
  const { t } = useText();
  const describe = useProblemText();
  const passage = usePassage(citation.chunkId);
  const viewed = { documentId: citation.documentId };
  const opened = useOpened(viewed);
  const { data } = passage;
  const document = opened.data;
  const isGone = isProblem(passage.error, 'chat.passage-not-found');
  const openButton = useRef<HTMLButtonElement>(null);
  const isOpenable = document?.deletedAt === null;
  useEffect(() => {
    if (hasFocus && isOpenable) openButton.current?.focus();
  }, [hasFocus, isOpenable]);
  if (opened.isLoading || passage.isLoading)
    return (
      <p className={classes.note} aria-busy="true">
        …
      </p>
    );
  if (isGone && isProblem(opened.error, 'chat.document-not-found'))
    return (
      <p className={classes.note} role="alert">
        {t({ id: 'viewer.state.gone', defaultMessage: "This document was deleted, or you don't have access to it." })}
      </p>
    );
  return (
    <>
      {document?.webAddress ? (
        <p className={`p-meta ${classes.indexed}`}>
          <WebLink address={document.webAddress} />
        </p>
      ) : null}
      {document && (document.deletedAt !== null || isGone || document.isAhead) ? (
        <div className={classes.passage}>
          <DocumentState document={document} isGone={isGone} />
        </div>
      ) : null}
      {data ? <Passage passage={data} /> : null}
      {passage.error && !isGone ? (
        <p className={classes.note} role="alert">
          {describe(passage.error).text}
        </p>
      ) : null}
      <div className={classes.actions}>
        {document && document.deletedAt === null ? (
          <Button variant="default" size="xs" ref={openButton} onClick={onRead}>
            {t({ id: 'viewer.source.open', defaultMessage: 'Open document' })}
          </Button>
        ) : null}
        {data && onQuote ? (
          <Button variant="subtle" size="xs" onClick={() => onQuote({ text: data.text, citation })}>
            {t({ id: 'viewer.source.quote', defaultMessage: 'Quote' })}
          </Button>
        ) : null}
        {document && document.deletedAt === null ? (
          <span className={classes.atEnd}>
            <DownloadButton viewed={viewed} {...document} />
          </span>
        ) : null}
      </div>
    </>
  );
}

function Passage({ passage }: { passage: NonNullable<ReturnType<typeof usePassage>['data']> }) {
  const { t } = useText();
  const { exact, ago, date } = useFormats();
  return (
    <>
      <p className={`p-meta ${classes.indexed}`} title={exact(passage.indexedAt)}>
        {passage.asOf
          ? t(
              { id: 'talk.sources.asOf', defaultMessage: 'As of {date}, indexed {time}' },
              { date: date(passage.asOf), time: ago(passage.indexedAt) },
            )
          : t({ id: 'talk.sources.indexed', defaultMessage: 'Index as of {time}' }, { time: ago(passage.indexedAt) })}
      </p>
      <div className={classes.passage}>
        <PassageText text={passage.text} around={passage} />
      </div>
    </>
  );
}
