import { setTimeout as sleep } from 'node:timers/promises';
import type { Lifecycle } from './lifecycle/index.ts';
import type { Logger } from '../base/logging/index.ts';
import type { Health } from '../base/telemetry/health.ts';

export type Ending = {
  readonly lifecycle: Lifecycle;
  readonly health: Health;
  readonly logger: Logger;
  /** Called with an uncaught error. */
  report(error: unknown): void;
  readonly unreadyMs: number;
  readonly deadlineMs: number;
};
/** Ends the process gracefully; returns true if this call started it. */
export type End = (exitCode: number) => boolean;

/** Limits the time for anything else that hangs, after hanging steps were left behind one by one at the deadline. */
const graceMs = 2_000;

/**
 * Ends the process in order with exit 0 at SIGTERM or SIGINT, immediately with 1 at a second one. An uncaught error is
 * logged and reported, and ends the process in order with 1. The process is unready first, takes requests for a moment
 * more, and answers probes to the last.
 */
export function endOnSignals(ending: Ending): End {
  const end = endOnce(ending);
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      if (!end(0)) process.exit(1);
    });
  }
  for (const fault of ['uncaughtException', 'unhandledRejection'] as const) {
    process.on(fault, (error: unknown) => {
      ending.logger.fatal({ err: error }, fault);
      ending.report(error);
      end(1);
    });
  }
  return end;
}

function endOnce({ lifecycle, health, logger, unreadyMs, deadlineMs }: Ending): End {
  let hasBegun = false;
  return (exitCode) => {
    if (hasBegun) return false;
    hasBegun = true;
    health.draining();
    logger.info('ending');
    setTimeout(() => process.exit(1), deadlineMs + graceMs).unref();
    // After an error the process ends immediately; at a signal callers get time to notice.
    void sleep(exitCode === 0 ? unreadyMs : 0)
      .then(() => lifecycle.shutdown())
      .finally(() => {
        logger.info('ended');
        process.exit(exitCode);
      });
    return true;
  };
}
