import { setTimeout as sleep } from 'node:timers/promises';
import type { Lifecycle } from './lifecycle/index.ts';
import type { Logger } from '../base/logging/index.ts';
import type { Health } from '../base/telemetry/health.ts';

export type Ending = {
  readonly lifecycle: Lifecycle;
  readonly health: Health;
  readonly logger: Logger;
  /** Told of an error that nobody caught. */
  report(error: unknown): void;
  readonly unreadyMs: number;
  readonly deadlineMs: number;
};
/** Ends the process gracefully; true when this call began it. */
export type End = (exitCode: number) => boolean;

/** Past the deadline steps that hang are left behind one by one; this is for whatever else holds. */
const graceMs = 2_000;

/**
 * SIGTERM and SIGINT end the process in order with exit 0, a second one at once with 1; an error that nobody caught is
 * logged, reported and ends it in order with 1. Unready comes first, requests are taken for a moment more, and probes are
 * answered to the last.
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
    // What fails ends at once; who is asked to go lets the others notice.
    void sleep(exitCode === 0 ? unreadyMs : 0)
      .then(() => lifecycle.shutdown())
      .finally(() => {
        logger.info('ended');
        process.exit(exitCode);
      });
    return true;
  };
}
