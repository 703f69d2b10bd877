import { RefusedCall } from '@parley/testing/client';
import { pause } from './world.ts';

/** 200 where it was answered, 0 where nobody did. */
export async function statusOf(act: () => Promise<unknown>): Promise<number> {
  return act().then(
    () => 200,
    (error: unknown) => (error instanceof RefusedCall ? error.status : 0),
  );
}

/** No answer, or another answer that is being written: both end. */
export async function untilAccepted<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
  for (;;) {
    try {
      return await ask();
    } catch (error) {
      if (error instanceof RefusedCall && error.status < 500 && error.problem.code !== 'chat.generation-running')
        throw error;
      await pause(100);
    }
  }
}
