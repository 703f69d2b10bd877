import type { Logger } from '@parley/platform/logging';
import { isStoreAway } from '@parley/platform/mongo';
import { setTimeout as wait } from 'node:timers/promises';
import { withoutWords, type AnswerEnd } from '../rows/answer-end.ts';
import type { Ended, FinishAnswer } from './finish-answer.ts';
import type { Generation } from '../rows/generation.collection.ts';

const againMs = 500;

type Parts = {
  readonly finish: Pick<FinishAnswer, 'finish'>;
  readonly logger: Logger;
  /** Returns true while this process has time to wait for the store. */
  readonly mayTryOn: () => boolean;
};

/**
 * Stores the end of an attempt. While the store is unavailable or too slow, keeps the text and the attempt, so that
 * nobody asks the model again. Returns null if another worker has taken over. If the store refuses the end for another
 * reason, tries it again unchanged, then with its words only, then without words. So it never waits for ever.
 */
export async function storeEnd(
  { finish, logger, mayTryOn }: Parts,
  held: Generation,
  end: AnswerEnd,
): Promise<Ended | null> {
  const failed = { ...withoutWords('failed', held), failure: 'internal', usage: end.usage } as const;
  const ends = [end, end, { ...failed, text: end.text }, failed];
  const { _id: generationId, epoch } = held;
  let hasWaited = false;
  for (;;) {
    try {
      return await finish.finish(held, ends[0]!);
    } catch (error) {
      if (!mayTryOn()) throw error;
      if (!isStoreAway(error)) {
        logger.error({ err: error, generationId, epoch }, 'the end of an answer could not be written');
        ends.shift();
        if (ends.length === 0) throw error;
      } else if (!hasWaited) {
        hasWaited = true;
        logger.warn({ err: error, generationId, epoch }, 'the end of an answer waits for the store');
      }
      await wait(againMs);
    }
  }
}
