import type { ChunkId, PassageLocation } from '@parley/contracts';
import { X } from 'lucide-react';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { isProblem } from '../../lib/http.ts';
import { LateTexts } from '../../lib/late-texts.tsx';
import { lazyPart } from '../../lib/lazy-part.tsx';
import { useText } from '../../lib/text.ts';
import { FailureView } from '../../ui/failure-view.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { Note } from '../../ui/note.tsx';
import { DocumentState } from './document-state.tsx';
import { DocumentText } from './document-text.tsx';
import { DownloadButton } from './download-button.tsx';
import { idOf, useCited, useOpened, type Opened, type Viewed } from './viewed.ts';
import classes from './viewer.module.css';
import { WebLink } from './web-link.tsx';

const PdfView = lazyPart(async () => (await import('./pdf-view.tsx')).PdfView);

/** Larger files aren't loaded into a page. */
const mostBytes = 25_000_000;

type Props = {
  viewed: Viewed;
  /** Shown until its own is known. */
  name: string;
  /** The passage that is shown and marked; null opens the document at its beginning. */
  cited: { readonly chunkId: ChunkId; readonly place?: PassageLocation | undefined } | null;
  /** It covers a part of the work, which needs its whole width. */
  isOver?: boolean;
  onClose: () => void;
};

/**
 * A document or a file of a chat beside the work: a PDF at its page, any other kind as the text that was read of it. It takes the focus;
 * Escape closes it, and who opened it gives the focus back.
 */
export const DocumentViewer = (props: Props) => (
  <LateTexts part="viewer">
    <Viewer {...props} />
  </LateTexts>
);

function Viewer({ viewed, name, cited, isOver = false, onClose }: Props) {
  const { t } = useText();
  const panel = useRef<HTMLElement>(null);
  const close = useEffectEvent(onClose);
  const { data, error, refetch } = useOpened(viewed);
  const passage = useCited(viewed, cited?.chunkId ?? null);
  useEffect(() => {
    panel.current?.querySelector<HTMLElement>('[data-close]')?.focus();
    const onKey = (event: KeyboardEvent) => {
      const isInDialog = event.target instanceof Element && event.target.closest('[role="dialog"]') !== null;
      if (event.key === 'Escape' && !isInDialog) close();
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, []);
  const isGone = isProblem(passage.error, 'chat.passage-not-found');
  return (
    <aside
      ref={panel}
      className={classes.viewer}
      data-over={isOver || undefined}
      aria-label={(data?.name ?? name) || undefined}
    >
      <header className={classes.head}>
        <h2 className={`p-one-line ${classes.name}`}>
          <bdi>{data?.name ?? name}</bdi>
        </h2>
        {data && data.deletedAt === null ? <DownloadButton viewed={viewed} {...data} /> : null}
        <IconButton
          icon={X}
          data-close
          label={t({ id: 'viewer.close.label', defaultMessage: 'Close document' })}
          onClick={onClose}
        />
      </header>
      {data?.webAddress ? (
        <p className={classes.address}>
          <WebLink address={data.webAddress} />
        </p>
      ) : null}
      {error && !data ? (
        <DocumentFailure error={error} onRetry={() => void refetch()} />
      ) : data ? (
        <>
          {data.deletedAt !== null || isGone || data.isAhead ? (
            <div className={classes.note}>
              <DocumentState document={data} isGone={isGone} />
            </div>
          ) : null}
          {data.deletedAt === null && !passage.isLoading ? (
            <Content viewed={viewed} document={data} cited={isGone ? null : cited} text={passage.data?.text ?? null} />
          ) : null}
        </>
      ) : (
        <p className={classes.loading} aria-busy="true">
          {t({ id: 'viewer.page.loading', defaultMessage: 'Loading document…' })}
        </p>
      )}
    </aside>
  );
}

type ContentProps = { viewed: Viewed; document: Opened; cited: Props['cited']; text: string | null };

function Content({ viewed, document, cited, text }: ContentProps) {
  const { mediaType, bytes, hasFile, storedAt, isAhead } = document;
  const { t } = useText();
  const [wantsText, setWantsText] = useState(false);
  const isPdf = mediaType === 'application/pdf' && hasFile;
  const isTooLarge = isPdf && bytes > mostBytes;
  if (isPdf && !isTooLarge && !wantsText)
    return (
      <PdfView
        key={`${idOf(viewed)} ${storedAt}`}
        viewed={viewed}
        place={cited?.place}
        // Of the version before it may stand anywhere.
        cited={isAhead ? null : text}
        onText={() => setWantsText(true)}
      />
    );
  return (
    <>
      {isTooLarge ? (
        <div className={classes.note}>
          <Note kind="warning">
            {t({
              id: 'viewer.pdf.tooLarge',
              defaultMessage: 'This PDF is too large to show. Download it; its text is below.',
            })}
          </Note>
        </div>
      ) : null}
      <DocumentText viewed={viewed} storedAt={storedAt} chunkId={cited?.chunkId ?? null} />
    </>
  );
}

function DocumentFailure({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  const { t } = useText();
  if (isProblem(error, 'chat.document-not-found') || isProblem(error, 'chat.file-not-found'))
    return (
      <div className={classes.note}>
        <Note kind="info" isAlert>
          {t({ id: 'viewer.state.gone', defaultMessage: "This document was deleted, or you don't have access to it." })}
        </Note>
      </div>
    );
  return (
    <FailureView
      title={t({ id: 'viewer.page.failed', defaultMessage: "The document couldn't be loaded" })}
      error={error}
      onRetry={onRetry}
    />
  );
}
