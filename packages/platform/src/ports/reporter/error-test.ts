import type { ErrorTestId } from '@parley/contracts';

/**
 * An error that somebody asked for on the page of error tests. It takes the way of every error that nobody expected, and
 * its report is marked by its id. In handling an event it is reported and the event ends there: no retry, no dead
 * letter.
 */
export class ErrorTest extends Error {
  override readonly name = 'ErrorTest';

  constructor(readonly errorTestId: ErrorTestId) {
    super('Somebody has asked for this error on the page of error tests.');
  }
}
