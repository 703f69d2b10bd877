import type { ErrorTestId } from '@parley/contracts';

/**
 * An error that someone asked for on the page of error tests. Treated like any unexpected error, and its report has its
 * id. If it occurs while an event is handled, it is reported and the event ends there: no retry, no dead letter.
 */
export class ErrorTest extends Error {
  override readonly name = 'ErrorTest';

  constructor(readonly errorTestId: ErrorTestId) {
    super('Somebody has asked for this error on the page of error tests.');
  }
}
