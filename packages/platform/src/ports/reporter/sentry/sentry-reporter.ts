import type { NodeClient } from '@sentry/node';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from '../../../base/logging/index.ts';
import { BurstLimit } from '../burst-limit.ts';
import { release, reportOf } from '../error-report.ts';
import { Reporter, type ReportContext } from '../reporter.ts';
import { sentryEventOf } from './sentry-event.ts';

/**
 * Reports to Sentry or a server with its protocol. The Sentry library is large and is loaded with the first report. It
 * only sends: it patches, watches and traces nothing, and its global state isn't touched.
 */
export class SentryReporter extends Reporter {
  private client: Promise<NodeClient | null> | null = null;
  private readonly limit = new BurstLimit((limit) =>
    this.logger.warn(limit, 'too many errors at once; some are in the log only'),
  );

  constructor(
    private readonly dsn: string,
    private readonly logger: Logger,
  ) {
    super();
  }

  report(error: unknown, context: ReportContext): void {
    if (!this.limit.lets()) return;
    this.client ??= this.open();
    void this.send(this.client, error, context);
  }

  async close(timeoutMs: number): Promise<void> {
    const closed = this.client?.then((client) => client?.close(timeoutMs));
    if (closed) await Promise.race([closed, sleep(timeoutMs, undefined, { ref: false })]);
  }

  private async send(opening: Promise<NodeClient | null>, error: unknown, context: ReportContext): Promise<void> {
    try {
      const client = await opening;
      client?.captureEvent(sentryEventOf(reportOf(error, context)));
    } catch (cause) {
      this.logger.warn({ err: cause }, 'an error could not be reported');
    }
  }

  private async open(): Promise<NodeClient | null> {
    try {
      const { defaultStackParser, makeNodeTransport, NodeClient: Client } = await import('@sentry/node');
      return new Client({
        dsn: this.dsn,
        release,
        transport: makeNodeTransport,
        stackParser: defaultStackParser,
        integrations: [],
        includeServerName: false,
        sendClientReports: false,
        sendDefaultPii: false,
      });
    } catch (error) {
      this.logger.warn({ err: error }, 'errors cannot be reported');
      return null;
    }
  }
}
