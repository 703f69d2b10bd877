import { callContext } from '@parley/platform/work';
import type { Generation } from './generation.collection.ts';

/** What is told of an answer that another process began belongs to the request that asked. */
export function asOriginOf<Result>({ origin }: Generation, act: () => Result): Result {
  return origin ? callContext.run({ ...origin, causationId: null }, act) : act();
}
