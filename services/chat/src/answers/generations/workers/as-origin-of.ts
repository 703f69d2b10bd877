import { callContext } from '@parley/platform/work';
import type { Generation } from '../rows/generation.collection.ts';

/**
 * Runs `act` in the context of the request that asked: events of an answer belong to that request, even in another
 * process.
 */
export function asOriginOf<Result>({ origin }: Pick<Generation, 'origin'>, act: () => Result): Result {
  return origin ? callContext.run({ ...origin, causationId: null }, act) : act();
}
