import type { Failing } from '@parley/contracts';
import type { UserId } from '@parley/protocol';

/** The context of a reported error: Parley's names and ids, nothing that people wrote. */
export type ReportContext = {
  /** The part that failed: a deployable, or `embedded` for the whole process. */
  readonly deployable: Failing;
  /** Doing what. */
  readonly during: 'request' | 'page' | 'event' | 'process';
  /** The path of the contract with parameters unfilled. */
  readonly route?: string | undefined;
  /** Finds the error in the log. */
  readonly traceId?: string | undefined;
  /** The code that the error page shows. */
  readonly digest?: string | undefined;
  /** The consumer for which the event became a dead letter. */
  readonly consumer?: string | undefined;
  /** The person to whom the error happened. Only Parley's own collector gets it, because it counts people. */
  readonly userId?: UserId | undefined;
};

/** Reports internal errors to the operator, never mistakes of people. */
export abstract class Reporter {
  /** Reports an error. Neither throws nor waits; leaves out some reports of a burst. */
  abstract report(error: unknown, context: ReportContext): void;
  /** Resolves when all reports are sent, or after that time. */
  abstract close(timeoutMs: number): Promise<void>;
}

/** Reports nothing. */
export class NoReporter extends Reporter {
  report(): void {}
  async close(): Promise<void> {}
}
