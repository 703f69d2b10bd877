import type { Document } from '@parley/contracts';
import { useText } from '../../../lib/text.ts';
import type { StatusKind } from '../../../ui/status-shape.tsx';

type Status = Document['status'];

export const shapeOfStatus: Record<Status, StatusKind> = {
  stored: 'waiting',
  reading: 'running',
  searchable: 'ok',
  failed: 'bad',
};

export function useStatusNames(): Record<Status, string> {
  const { t } = useText();
  return {
    stored: t({ id: 'documents.status.stored', defaultMessage: 'Stored, waits to be read' }),
    reading: t({ id: 'documents.status.reading', defaultMessage: 'Reading' }),
    searchable: t({ id: 'documents.status.searchable', defaultMessage: 'Searchable' }),
    failed: t({ id: 'documents.status.failed', defaultMessage: 'Failed' }),
  };
}

export function useFailureReasons(): Record<NonNullable<Document['failure']>, string> {
  const { t } = useText();
  return {
    'no-text': t({
      id: 'documents.failure.noText',
      defaultMessage: 'There is no text in it. Upload a version with text.',
    }),
    'not-utf8': t({
      id: 'documents.failure.notUtf8',
      defaultMessage: 'It is not UTF-8 text. Save it as UTF-8 and upload it again.',
    }),
    'reader-stopped': t({
      id: 'documents.failure.readerStopped',
      defaultMessage:
        'It was read twice and broke off each time: it takes too long or too much memory. Split the file, or retry.',
    }),
    'too-many-passages': t({
      id: 'documents.failure.tooManyPassages',
      defaultMessage:
        'The organisation holds as many passages as it may. Delete documents that are not needed, then retry.',
    }),
    'source-refused': t({
      id: 'documents.failure.sourceRefused',
      defaultMessage: 'The source does not let Parley read it. Give access there, then retry.',
    }),
    'source-failed': t({
      id: 'documents.failure.sourceFailed',
      defaultMessage: 'The source did not send it. It is tried again with the next sync.',
    }),
    'too-large': t({
      id: 'documents.failure.tooLarge',
      defaultMessage: 'It is larger than Parley reads from this source. Split it there.',
    }),
    internal: t({
      id: 'documents.failure.internal',
      defaultMessage: 'Something failed on the server; it is in the server’s log. Retry it.',
    }),
  };
}
