import type { GenerationFrame, GenerationId, MessageId } from '@parley/contracts';

/** What is known of an answer while it is written. */
export type LiveAnswer = {
  readonly generationId: GenerationId;
  readonly answerId: MessageId;
  readonly epoch: number;
  /** Last frame applied; 0 when only the epoch is known. */
  readonly seq: number;
  readonly text: string;
  /** What the model thinks, in this attempt. */
  readonly thoughts: string;
  /** Text of the attempt before, shown until this one has its first token. */
  readonly earlierText: string;
  /** A frame is missing: ask again with `streamToFollow`. */
  readonly gap: boolean;
  /** The stream is closed: fetch the durable message. */
  readonly end: GenerationFrame[5] | null;
};

/**
 * Text is append-only within an epoch: a frame fits when nothing is missing before its offset, whatever was coalesced.
 */
export function append(held: LiveAnswer, frame: GenerationFrame): LiveAnswer {
  const [, , seq, offset, delta, end, [thoughtsAt, thought] = [held.thoughts.length, '']] = frame;
  if (offset > held.text.length || thoughtsAt > held.thoughts.length) return held.gap ? held : { ...held, gap: true };
  const text = held.text.slice(0, offset) + delta;
  const thoughts = held.thoughts.slice(0, thoughtsAt) + thought;
  return {
    ...held,
    seq,
    text,
    thoughts,
    gap: false,
    end: end ?? null,
    earlierText: text === '' ? held.earlierText : '',
  };
}
