import type { DocumentId } from '@parley/contracts';
import { useEffect, useState } from 'react';
import { lazyPart } from '../../../lib/lazy-part.tsx';

const DocumentViewer = lazyPart(
  async () => (await import('../../../domain/document/document-viewer.tsx')).DocumentViewer,
);

/** A document over its list. The focus goes back to where it was opened. */
export function OpenDocument({ id, onClose }: { id: DocumentId; onClose: () => void }) {
  const [opener] = useState(() => document.activeElement);
  useEffect(
    () => () => {
      if (opener instanceof HTMLElement) opener.focus();
    },
    [opener],
  );
  return <DocumentViewer viewed={{ documentId: id }} name="" cited={null} isOver onClose={onClose} />;
}
