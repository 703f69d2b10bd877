import type { Failing } from '@parley/contracts';
import type { UserId } from '@parley/protocol';

/** What is told of an error besides the error itself: names of ours and ids, nothing that people wrote. */
export type ReportContext = {
  /** Who failed: a deployable, or `embedded` where it was the whole process. */
  readonly deployable: Failing;
  /** Doing what. */
  readonly during: 'request' | 'page' | 'event' | 'process';
  /** The contract's path with its parameters unfilled. */
  readonly route?: string | undefined;
  /** Joins it with the log. */
  readonly traceId?: string | undefined;
  /** What the error page shows to the person. */
  readonly digest?: string | undefined;
  /** Whose dead letter it became. */
  readonly consumer?: string | undefined;
  /** Whom it happened to: Parley's own collector counts people, nobody else is told. */
  readonly userId?: UserId | undefined;
};

/** Tells the operator of faults that are ours. What the person did wrong is never reported. */
export abstract class Reporter {
  /** Neither throws nor waits; of a burst some are left out. */
  abstract report(error: unknown, context: ReportContext): void;
  /** Resolves when everything has left, or after that time. */
  abstract close(timeoutMs: number): Promise<void>;
}

/** Nobody asked to be told. */
export class NoReporter extends Reporter {
  report(): void {}
  async close(): Promise<void> {}
}
