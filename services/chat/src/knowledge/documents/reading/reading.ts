import type { DocumentProgress, FileFailure, UnreadAttachment } from '@parley/contracts';
import { readDocument } from '@parley/document-reader';
import type { Readable } from 'node:stream';
import { passageSizes, type Passage } from '../../retrieval/index.ts';
import type { DocumentRow } from '../rows/document.collection.ts';

const readerTimeoutMs = 60_000;
const tellEveryMs = 1_000;
/**
 * A file whose reader ends twice has failed; what a reader finds wrong, or what takes it too long or too much memory,
 * is final at once.
 */
const mostAttempts = 2;
/**
 * So many whole processes may end beside a file: it hardly ends them, for it is read in a limited process of its own,
 * but an update or a machine that is full may.
 */
export const mostEndedProcesses = 5;
/** A file of more passages takes long to index. */
const mostQuickPassages = 2_000;

/** `takes-long`: it waits for its turn among those that do. `left`: this process stops. Both are read from the start then. */
export type Outcome =
  | 'takes-long'
  | 'left'
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

/** Returns what `read` makes of a stored file, unless it takes longer than it may. */
export async function readInTurn<Answer>(
  content: Readable | null,
  { mayTakeLong, stopping, quickReadMs }: InTurn,
  read: (content: Readable, signal: AbortSignal) => Promise<Answer>,
): Promise<Answer | 'takes-long' | 'left' | { readonly failure: 'internal' }> {
  if (!content) return { failure: 'internal' };
  const breakOff = new AbortController();
  const timer = mayTakeLong ? undefined : setTimeout(() => breakOff.abort(), quickReadMs);
  const signal = AbortSignal.any([breakOff.signal, stopping]);
  const answer = await read(content, signal).finally(() => clearTimeout(timer));
  if (stopping.aborted) return 'left';
  return breakOff.signal.aborted ? 'takes-long' : answer;
}

/** What becomes of a file that was not read to its end: it waits again, or has failed. */
export function unfinished<Failure extends FileFailure>(
  outcome: 'takes-long' | 'left' | { readonly failure: Failure },
  attempts: number,
) {
  // It is no attempt: nothing went wrong.
  const again = { status: 'stored', failure: null, attempts: attempts - 1 } as const;
  if (outcome === 'left') return again;
  if (outcome === 'takes-long') return { ...again, takesLong: true };
  const { failure } = outcome;
  const mayPass = failure === 'reader-stopped' || failure === 'internal';
  return mayPass && attempts < mostAttempts
    ? ({ status: 'stored', failure: null } as const)
    : ({ status: 'failed', failure } as const);
}

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
