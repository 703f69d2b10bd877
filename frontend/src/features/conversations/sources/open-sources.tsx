import type { Citation } from '@parley/contracts';
import { useState } from 'react';
import { LateTexts } from '../../../lib/late-texts.tsx';
import { useLocationWords } from '../../../domain/passage/use-location-words.ts';
import { DocumentViewer } from '../../../domain/document/document-viewer.tsx';
import { quoteOf } from '../state/quote.ts';
import type { Quote } from '../state/use-quoting.ts';
import type { Quoted } from './source-passage.tsx';
import { SourcesPanel } from './sources-panel.tsx';

type Props = {
  citations: readonly Citation[];
  open: number;
  onOpen: (number: number) => void;
  onQuote: Quote | null;
  onClose: () => void;
};

/**
 * Shows the sources of an answer beside the conversation, or the document of the open source. Escape leads from the
 * document back to the sources.
 */
export function OpenSources({ citations, open, onOpen, onQuote, onClose }: Props) {
  const words = useLocationWords();
  const [isReading, setReading] = useState(false);
  const [wasRead, setWasRead] = useState(false);
  const citation = citations.find(({ number }) => number === open);
  const quote = ({ text, citation: { documentName, place } }: Quoted) => {
    onQuote?.(quoteOf(text, place ? `${documentName}, ${words(place)}` : documentName));
    // Close the panel on a narrow screen, where it would cover the quoted text.
    if (matchMedia('(max-width: 1099px)').matches) onClose();
  };
  if (isReading && citation && !citation.curated)
    return (
      <DocumentViewer
        key={citation.chunkId}
        viewed={citation.fileId ? { fileId: citation.fileId } : { documentId: citation.documentId }}
        name={citation.documentName}
        cited={citation}
        onClose={() => {
          setReading(false);
          setWasRead(true);
        }}
      />
    );
  return (
    <LateTexts part="talk">
      <SourcesPanel
        citations={citations}
        open={open}
        wasRead={wasRead}
        onOpen={(number) => {
          setWasRead(false);
          onOpen(number);
        }}
        onRead={() => setReading(true)}
        onQuote={onQuote && quote}
        onClose={onClose}
      />
    </LateTexts>
  );
}
