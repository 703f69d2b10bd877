import type { GenerationId } from '@parley/contracts';
import { jobScope } from '@parley/platform/mongo';
import type { Checkpoint, GenerationsRepository, Progress } from '../rows/generations.repository.ts';

/** The most pieces of new text in an answer's row; after that, the whole text is written again. */
const mostPieces = 100;
const scope = jobScope('workers write the answers of all organisations');

type Stored = Pick<Progress, 'epoch' | 'textEpoch'> & {
  readonly length: number;
  readonly pieces: number;
  /** All other stored fields as one string, to find out if one of them has changed. */
  readonly rest: string;
};

/** Stores the texts of attempts; writes only the part of each that is new. */
export class Checkpoints {
  private stored = new Map<GenerationId, Stored>();

  constructor(private readonly generations: Pick<GenerationsRepository, 'keep'>) {}

  /**
   * Writes the new text of each attempt. Call it again only after it has settled; after a failed write, the next call
   * stores whole texts.
   */
  async keep(given: readonly Progress[]): Promise<void> {
    const all = given.map((progress) => ({ ...progress, text: wholeSigns(progress.text) }));
    const before = this.stored;
    this.stored = new Map();
    const next = new Map(all.map((progress) => [progress.id, storedOf(progress, before.get(progress.id))]));
    const news = all.flatMap((progress) => newOf(progress, before.get(progress.id)) ?? []);
    if (news.length > 0) await this.generations.keep(scope, news);
    this.stored = next;
  }
}

/**
 * Removes the first half of a surrogate pair from the end: without its second half it would be stored as another
 * character.
 */
const wholeSigns = (text: string): string =>
  (text.charCodeAt(text.length - 1) & 0xfc00) === 0xd800 ? text.slice(0, -1) : text;

const restOf = ({ citations, firstTokenAt, sent }: Progress): string =>
  JSON.stringify([citations.length, firstTokenAt, sent]);

/** Returns true if the text continues the stored one: within an attempt, text only grows. */
const goesOn = ({ epoch, textEpoch, text }: Progress, before: Stored | undefined): before is Stored =>
  before?.epoch === epoch &&
  before.textEpoch === textEpoch &&
  before.length <= text.length &&
  before.pieces < mostPieces;

function storedOf(progress: Progress, before: Stored | undefined): Stored {
  const { epoch, textEpoch, text } = progress;
  const isMore = goesOn(progress, before) && before.length < text.length;
  const pieces = goesOn(progress, before) ? before.pieces + (isMore ? 1 : 0) : 0;
  return { epoch, textEpoch, length: text.length, pieces, rest: restOf(progress) };
}

/** Returns the checkpoint for new text; null if nothing is new. */
function newOf(progress: Progress, before: Stored | undefined): Checkpoint | null {
  if (!goesOn(progress, before)) return progress;
  const { text, citations, ...others } = progress;
  const isSame = before.rest === restOf(progress);
  if (isSame && text.length === before.length) return null;
  return { ...others, from: before.length, piece: text.slice(before.length), ...(!isSame && { citations }) };
}
