import type { ApiRoute } from '@parley/contracts';
import { eventually } from '@parley/testing/eventually';
import { ParleyClient, RefusedCall } from '@parley/testing/client';

/** For what comes when it comes on a machine that has much else to do. */
export const patienceMs = 300_000;

/** It can't be answered now, but later: processes are killed, or the person's other tabs have their requests under way. */
const passes: readonly number[] = [429, 503];

/**
 * A person who tries again, with the same ids, while the server says 429 or 503 or lets a connection fall: while processes
 * are killed, and on a machine so busy that nobody can tell in time whether a session still holds.
 */
export class PatientClient extends ParleyClient {
  override async call<Route extends ApiRoute>(
    ...call: Parameters<typeof ParleyClient.prototype.call<Route>>
  ): ReturnType<typeof ParleyClient.prototype.call<Route>> {
    const answered = await eventually(
      async () => {
        try {
          return { answer: await super.call<Route>(...call) };
        } catch (error) {
          if (!(error instanceof RefusedCall) || passes.includes(error.status)) throw error;
          return { error };
        }
      },
      `${call[0]} should be answered`,
      patienceMs,
    );
    if ('error' in answered) throw answered.error;
    return answered.answer;
  }

  override request(...request: Parameters<ParleyClient['request']>): ReturnType<ParleyClient['request']> {
    return eventually(
      async () => {
        const response = await super.request(...request);
        if (passes.includes(response.status)) throw new Error(await response.text());
        return response;
      },
      `${request[0]} ${request[1]} should be answered`,
      patienceMs,
    );
  }
}
