import type { Citation, GenerationFailure, Thoughts, Usage } from '@parley/contracts';
import type { Generation } from './generation.collection.ts';
import type { FinalStatus } from './generation.ts';

/** How an attempt ended, as fields of its generation. */
export type AnswerEnd = {
  readonly status: FinalStatus;
  readonly text: string;
  readonly citations: readonly Citation[];
  readonly thoughts: Thoughts | null;
  readonly usage: Usage | null;
  readonly failure: GenerationFailure | null;
  readonly failureDetail: string | null;
  readonly firstTokenAt: Date | null;
  /** Set if the budget had room only for a shorter answer. */
  readonly limitedBy?: 'budget';
  /** How the model got the images of the question, if it saw none. */
  readonly images?: NonNullable<Generation['images']>;
  /** See `Message`. */
  readonly leftOut?: NonNullable<Generation['leftOut']>;
  /** Missing if this attempt asked no model, or ends without its worker. */
  readonly sent?: NonNullable<Generation['sent']>;
  /** For a trial: the passages that were found. */
  readonly found?: NonNullable<Generation['found']>;
  /** For a program's question: true if the answer reached its length limit. */
  readonly isCut?: boolean;
};
/** Returns an end for an attempt that wrote no word of its own: the text is that of the answer it continues. */
export const withoutWords = (status: FinalStatus, { continued }: Pick<Generation, 'continued'>): AnswerEnd => ({
  status,
  text: continued?.text ?? '',
  citations: continued?.citations ?? [],
  thoughts: null,
  usage: null,
  failure: null,
  failureDetail: null,
  firstTokenAt: null,
});

type Found = NonNullable<AnswerEnd['found']>[number];
/** Returns the passages that a trial shows. Leaves out fields that only the model gets. */
export const foundOf = (passages: readonly Omit<Found, 'curated' | 'fileId'>[]): Found[] =>
  passages.map(({ number, documentId, chunkId, documentName, heading, place, text, score }) => ({
    number,
    documentId,
    chunkId,
    documentName,
    heading,
    ...(place && { place }),
    text,
    score,
  }));
