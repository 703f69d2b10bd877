import { callContext } from '@parley/platform/work';
import type { Generation } from '../rows/generation.collection.ts';

/** Events of an answer that another process began belong to the request that asked. */
export function asOriginOf<Result>({ origin }: Pick<Generation, 'origin'>, act: () => Result): Result {
  return origin ? callContext.run({ ...origin, causationId: null }, act) : act();
}
