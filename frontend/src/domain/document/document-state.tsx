import { useFormats } from '../../lib/formats.ts';
import { useText } from '../../lib/text.ts';
import { Note } from '../../ui/note.tsx';
import type { Opened } from './viewed.ts';

type Props = {
  document: Opened;
  /** The cited passage is not part of the document any more. */
  isGone: boolean;
};

/** Says that a document is not what was cited: deleted, or replaced by a newer version. */
export function DocumentState({ document: { deletedAt, storedAt, isAhead }, isGone }: Props) {
  const { t } = useText();
  const { date } = useFormats();
  if (deletedAt !== null)
    return (
      <Note kind="warning">
        {t(
          { id: 'viewer.state.deleted', defaultMessage: 'This document was deleted on {date}.' },
          { date: date(deletedAt) },
        )}
      </Note>
    );
  if (!isGone && !isAhead) return null;
  return (
    <Note kind="warning">
      {isGone
        ? t(
            {
              id: 'viewer.state.replaced',
              defaultMessage: 'This document was replaced on {date}. It no longer contains the cited passage.',
            },
            { date: date(storedAt) },
          )
        : t(
            {
              id: 'viewer.state.ahead',
              defaultMessage: 'This document was replaced on {date}. The passage is from the earlier version.',
            },
            { date: date(storedAt) },
          )}
    </Note>
  );
}
