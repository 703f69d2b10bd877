import { Button } from '@mantine/core';
import type { PassageLocation } from '@parley/contracts';
import { useEffect, useEffectEvent, useState } from 'react';
import { useProblemText } from '../../lib/problem-texts.ts';
import { useTab } from '../../lib/tab-organisation.tsx';
import { useText } from '../../lib/text.ts';
import { Note } from '../../ui/note.tsx';
import { openPdf, PdfError, type OpenPdf } from './open-pdf.ts';
import { PdfPages } from './pdf-pages.tsx';
import { contentOf, type Viewed } from './viewed.ts';
import classes from './viewer.module.css';

type Props = {
  /** Read once: another one, or another version, is another view. */
  viewed: Viewed;
  place: PassageLocation | undefined;
  cited: string | null;
  /** Shows the text that was read instead. */
  onText: () => void;
};

/** A PDF at the page of a passage, by pdf.js: this file and all that it imports come when one is opened. */
export function PdfView({ viewed, place, cited, onText }: Props) {
  const { t } = useText();
  const orgId = useTab().organisation.id;
  const [opened, setOpened] = useState<OpenPdf | null>(null);
  const [error, setError] = useState<unknown>(null);
  const load = useEffectEvent((signal: AbortSignal) => contentOf(viewed, { orgId, signal }));
  useEffect(() => {
    const open = new AbortController();
    load(open.signal)
      .then((bytes) => openPdf(bytes, open.signal))
      .then(
        (pdf) => !open.signal.aborted && setOpened(pdf),
        (reason: unknown) => !open.signal.aborted && setError(reason),
      );
    return () => {
      open.abort();
      setOpened(null);
      setError(null);
    };
  }, []);
  if (error !== null) return <PdfFailure error={error} onText={onText} />;
  if (!opened)
    return (
      <p className={classes.loading} aria-busy="true">
        {t({ id: 'viewer.pdf.loading', defaultMessage: 'Loading the PDF…' })}
      </p>
    );
  return <PdfPages {...opened} first={place?.kind === 'page' ? place.number : 1} cited={cited} />;
}

function PdfFailure({ error, onText }: { error: unknown; onText: () => void }) {
  const { t } = useText();
  const describe = useProblemText();
  const words = {
    encrypted: t({
      id: 'viewer.pdf.encrypted',
      defaultMessage: 'This PDF is protected with a password. Download it and open it with the password.',
    }),
    damaged: t({
      id: 'viewer.pdf.damaged',
      defaultMessage: "This PDF can't be shown here. Download it, or show its text.",
    }),
    slow: t({
      id: 'viewer.pdf.slow',
      defaultMessage: 'This PDF takes too long to open. Download it, or show its text.',
    }),
  };
  return (
    <div className={classes.note}>
      <Note
        kind="warning"
        isAlert
        actions={
          <Button variant="default" size="xs" onClick={onText}>
            {t({ id: 'viewer.pdf.text', defaultMessage: 'Show text' })}
          </Button>
        }
      >
        {error instanceof PdfError ? words[error.flaw] : describe(error).text}
      </Note>
    </div>
  );
}
