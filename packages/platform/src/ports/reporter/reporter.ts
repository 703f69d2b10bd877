import type { Failing } from '@parley/contracts';
import type { UserId } from '@parley/protocol';

/** What a report has besides the error itself: our names and ids, nothing that people wrote. */
export type ReportContext = {
  /** The part that failed: a deployable, or `embedded` for the whole process. */
  readonly deployable: Failing;
  /** Doing what. */
  readonly during: 'request' | 'page' | 'event' | 'process';
  /** The path of the contract with parameters unfilled. */
  readonly route?: string | undefined;
  /** Finds it in the log. */
  readonly traceId?: string | undefined;
  /** The code that the error page shows. */
  readonly digest?: string | undefined;
  /** The consumer whose dead letter it became. */
  readonly consumer?: string | undefined;
  /** The person it happened to: Parley's own collector counts people, and nobody else gets it. */
  readonly userId?: UserId | undefined;
};

/** Reports internal errors to the operator, never what a person did wrong. */
export abstract class Reporter {
  /** Neither throws nor waits; leaves some of a burst out. */
  abstract report(error: unknown, context: ReportContext): void;
  /** Resolves when everything is sent, or after that time. */
  abstract close(timeoutMs: number): Promise<void>;
}

/** Reports nothing. */
export class NoReporter extends Reporter {
  report(): void {}
  async close(): Promise<void> {}
}
