import type { Document } from '@parley/contracts';
import { useText } from '../../lib/text.ts';

type Failure = NonNullable<Document['failure']>;

const flaws: readonly Failure[] = [
  'no-text',
  'not-utf8',
  'scanned',
  'encrypted',
  'damaged',
  'unpacks-too-large',
  'nested-too-deep',
  'too-many-pages',
];
/** Another file is what helps: this one would be read as it was. */
export const isFlaw = (failure: Failure): boolean => flaws.includes(failure);

/** Why a document could not be read, and what to do about it. */
export function useFailureReasons(): Record<Failure, string> {
  return { ...useFlawsOfFiles(), ...useOtherFailures() };
}

type AttachmentFlaw = Document['unreadAttachments'][number]['flaw'];

/** Why an attachment of a mail was not read, and what to do about it. */
export function useAttachmentFlaws(): Record<AttachmentFlaw, string> {
  const { t } = useText();
  return {
    ...useFlawsOfFiles(),
    'too-large': t({
      id: 'unread.attachment.tooLarge',
      defaultMessage: 'It is larger than 10 MB. Upload it by itself.',
    }),
    'kind-not-read': t({
      id: 'unread.attachment.kind',
      defaultMessage: 'Attachments of this kind are not read. Save it in another format and upload that.',
    }),
    'beyond-most': t({
      id: 'unread.attachment.beyond',
      defaultMessage: 'Only the first ten attachments of an email are read. Upload it by itself.',
    }),
  };
}

/** What is wrong with the file itself. */
function useFlawsOfFiles() {
  const { t } = useText();
  return {
    'no-text': t({ id: 'unread.failure.noText', defaultMessage: 'It contains no text. Upload a version with text.' }),
    'not-utf8': t({
      id: 'unread.failure.notUtf8',
      defaultMessage: 'It is not UTF-8 text. Save it as UTF-8 and upload it again.',
    }),
    scanned: t({
      id: 'unread.failure.scanned',
      defaultMessage:
        'No text can be read from its pages: they are pictures, as of a scanner. Run text recognition (OCR) over it and upload that.',
    }),
    encrypted: t({
      id: 'unread.failure.encrypted',
      defaultMessage: 'It is protected by a password. Upload a copy without one.',
    }),
    damaged: t({
      id: 'unread.failure.damaged',
      defaultMessage: 'It is cut off or damaged, or is not what its name says. Open it, save it anew and upload that.',
    }),
    'unpacks-too-large': t({
      id: 'unread.failure.unpacksTooLarge',
      defaultMessage: 'Unpacked it is larger than Parley reads (100 MB of text). Split it into several files.',
    }),
    'nested-too-deep': t({
      id: 'unread.failure.nestedTooDeep',
      defaultMessage: 'It has emails within emails within emails. Save the one that matters by itself.',
    }),
    'too-many-pages': t({
      id: 'unread.failure.tooManyPages',
      defaultMessage: 'It has more than 5,000 pages. Split it into several files.',
    }),
  };
}

function useOtherFailures() {
  const { t } = useText();
  return {
    'took-too-long': t({
      id: 'unread.failure.tookTooLong',
      defaultMessage: 'Reading it took longer than a minute and was stopped. Split the file, or retry.',
    }),
    'took-too-much-memory': t({
      id: 'unread.failure.tookTooMuchMemory',
      defaultMessage: 'Reading it took too much memory and was stopped. Split the file, or leave large pictures out.',
    }),
    'reader-stopped': t({
      id: 'unread.failure.readerStopped',
      defaultMessage: 'It was read twice and broke off each time. Save the file anew and upload that, or retry.',
    }),
    'too-many-passages': t({
      id: 'unread.failure.tooManyPassages',
      defaultMessage:
        'The organisation has reached its limit of passages. Delete documents that aren’t needed, then retry.',
    }),
    'over-quota': t({
      id: 'unread.failure.overQuota',
      defaultMessage: 'It does not fit into the storage quota. Delete documents you no longer need, then retry.',
    }),
    'source-refused': t({
      id: 'unread.failure.sourceRefused',
      defaultMessage: 'The source does not let Parley read it. Give access there, then retry.',
    }),
    'source-failed': t({
      id: 'unread.failure.sourceFailed',
      defaultMessage: 'The source did not send it. It is tried again with the next sync.',
    }),
    'too-large': t({
      id: 'unread.failure.tooLarge',
      defaultMessage: 'It is larger than Parley reads from this source. Split it there.',
    }),
    internal: t({
      id: 'unread.failure.internal',
      defaultMessage: 'Something failed on the server; it is in the server’s log. Retry it.',
    }),
  };
}
