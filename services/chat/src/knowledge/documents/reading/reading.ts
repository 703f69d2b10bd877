import type { DocumentProgress, FileFailure, UnreadAttachment } from '@parley/contracts';
import { readDocument } from '@parley/document-reader';
import type { Readable } from 'node:stream';
import { passageSizes, type Passage } from '../../retrieval/index.ts';
import type { DocumentRow } from '../rows/document.collection.ts';

const readerTimeoutMs = 60_000;
const tellEveryMs = 1_000;
/** A file of more passages takes long to index. */
const mostQuickPassages = 2_000;

/** `takes-long`: it waits for its turn among those that do, and is read from the start then. A failure is final. */
export type Outcome =
  | 'takes-long'
  | { readonly passages: Passage[]; readonly unread?: readonly UnreadAttachment[] }
  | { readonly failure: NonNullable<DocumentRow['failure']> };
type Unfinished = Exclude<Outcome, { readonly passages: Passage[] }>;

/** How a file is read in its turn. */
export type By = {
  /** If false, reading is aborted after `quickReadMs`. */
  readonly mayTakeLong: boolean;
  readonly stopping: AbortSignal;
};
type InTurn = By & { readonly quickReadMs: number };
type Reader = InTurn & { readonly mediaType: string; readonly onProgress: (done: number, of: number) => void };

/** Thrown if the process that reads a file ends too early. The job tries again. */
export class ReaderStopped extends Error {
  override readonly name = 'ReaderStopped';
}

/** Reads a stored file in a process of its own. */
export async function readStored(
  content: Readable | null,
  { mediaType, onProgress, ...inTurn }: Reader,
): Promise<Outcome> {
  const answer = await readInTurn(content, inTurn, (file, signal) =>
    readDocument(file, { mediaType, sizes: passageSizes, timeoutMs: readerTimeoutMs, signal, onProgress }),
  );
  if (typeof answer === 'string' || !('passages' in answer)) return answer;
  return answer.passages.length > mostQuickPassages && !inTurn.mayTakeLong ? 'takes-long' : answer;
}

/** Returns what `read` makes of a stored file, unless it takes longer than it may. Throws what another attempt may change. */
export async function readInTurn<Answer extends object>(
  content: Readable | null,
  { mayTakeLong, stopping, quickReadMs }: InTurn,
  read: (content: Readable, signal: AbortSignal) => Promise<Answer>,
): Promise<Answer | 'takes-long'> {
  if (!content) throw new Error('The file is not in the store of files.');
  const breakOff = new AbortController();
  const timer = mayTakeLong ? undefined : setTimeout(() => breakOff.abort(), quickReadMs);
  const signal = AbortSignal.any([breakOff.signal, stopping]);
  const answer = await read(content, signal).finally(() => clearTimeout(timer));
  stopping.throwIfAborted();
  if (breakOff.signal.aborted) return 'takes-long';
  if ('failure' in answer && answer.failure === 'reader-stopped') throw new ReaderStopped();
  return answer;
}

/** Returns the new state of a file that wasn't read to its end: it waits for a longer turn, or has failed. */
export const unfinished = <Failure extends FileFailure>(outcome: 'takes-long' | { readonly failure: Failure }) =>
  outcome === 'takes-long'
    ? ({ status: 'stored', failure: null, takesLong: true } as const)
    : ({ status: 'failed', failure: outcome.failure } as const);

export const isRead = (outcome: Outcome): outcome is Exclude<Outcome, Unfinished> =>
  typeof outcome !== 'string' && 'passages' in outcome;

/** Keeps how far a file is, once a second at most; whoever looks at it reads it again as often. */
export function progressOf(
  stage: DocumentProgress['stage'],
  keep: (progress: DocumentProgress) => void,
): (done: number, of: number) => void {
  let toldAt = 0;
  return (done, of) => {
    if (performance.now() - toldAt < tellEveryMs) return;
    toldAt = performance.now();
    keep({ stage, done, of });
  };
}
