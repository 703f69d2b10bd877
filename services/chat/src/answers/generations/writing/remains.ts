import { liveStreamOf } from '@parley/contracts';
import { joined, type LiveFrame, type LiveStream } from '@parley/platform/live-stream';
import { ownTextOf } from '../rows/continuation.ts';
import type { Generation } from '../rows/generation.collection.ts';

/** The text and the usage that a lost attempt leaves behind. */
export type Remains = Pick<Generation, 'text' | 'textEpoch'> & {
  /** The attempt's own words, for which it is billed. */
  readonly written: string;
};

/**
 * Returns the longest text of an answer that was stored or streamed, so that the text people saw stays until the next
 * attempt's first word.
 */
export function remainsOf(lost: Generation, frames: readonly LiveFrame[]): Remains {
  const kept = { text: lost.text, textEpoch: lost.textEpoch };
  const streamed = { text: frames.reduce(joined, ''), textEpoch: frames.at(-1)?.epoch ?? 0 };
  const longest = streamed.text.length > kept.text.length ? streamed : kept;
  const own = [longest, kept, streamed].find(({ textEpoch }) => textEpoch === lost.epoch);
  return { ...longest, written: own ? ownTextOf({ ...lost, ...own }) : '' };
}

/** Reads the live stream and returns `remainsOf`; while the stream is unavailable, uses the last checkpoint. */
export const readRemains = async (liveStream: LiveStream, lost: Generation): Promise<Remains> =>
  remainsOf(lost, await liveStream.read(liveStreamOf(lost.conversationId, lost._id), null));
