import { z } from 'zod';
import type { Logger } from '../../base/logging/index.ts';
import { CollectorReporter, type CollectorPeers } from './collector-reporter.ts';
import type { Reporter } from '../../ports/reporter/reporter.ts';
import { SentryReporter } from '../../ports/reporter/sentry/sentry-reporter.ts';

/** The settings for reporting errors, in both editions. */
export const reporterConfig = z.object({
  PARLEY_SENTRY_DSN: z
    .url({ protocol: /^https?$/ })
    .refine((dsn) => isDsn(dsn), 'is no DSN: write https://<key>@<host>/<project>')
    .optional()
    .describe('Where faults are reported to, as Sentry calls it; without it platform admins see them in Parley.'),
});

/** Opens a reporter to that DSN; without one, a reporter to Parley's own collector. */
export function openReporter(
  dsn: string | undefined,
  { logger, peers }: { readonly logger: Logger; readonly peers: CollectorPeers },
): Reporter {
  return dsn === undefined ? new CollectorReporter(peers, logger) : new SentryReporter(dsn, logger);
}

function isDsn(text: string): boolean {
  const url = URL.parse(text);
  return url !== null && url.username !== '' && /\/\d+$/.test(url.pathname);
}
