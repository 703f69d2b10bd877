import type { NodeClient } from '@sentry/node';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from '../../logging/index.ts';
import { Reporter, type ReportContext } from '../reporter.ts';
import { eventOf } from './sentry-event.ts';

/** The version of the installation: one for all packages, in the root package. */
const { version } = JSON.parse(readFileSync(new URL('../../../../../package.json', import.meta.url), 'utf8')) as {
  version: string;
};

const windowMs = 60_000;
/** More in one window say nothing new. */
const mostPerWindow = 20;

/**
 * Reports to Sentry or whatever speaks its protocol. Its library is large and is loaded at the first report. It is only
 * used to send: nothing is patched, watched or traced, and no global state of it is touched.
 */
export class SentryReporter extends Reporter {
  private client: Promise<NodeClient | null> | null = null;
  private readonly dsn: string;
  private readonly logger: Logger;
  private window = { beganAt: 0, reports: 0 };

  constructor(dsn: string, logger: Logger) {
    super();
    this.dsn = dsn;
    this.logger = logger;
  }

  report(error: unknown, context: ReportContext): void {
    if (!this.isWithinLimit()) return;
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
      client?.captureEvent(eventOf(error, context, client.getOptions().stackParser));
    } catch (cause) {
      this.logger.warn({ err: cause }, 'an error could not be reported');
    }
  }

  private async open(): Promise<NodeClient | null> {
    try {
      const { defaultStackParser, makeNodeTransport, NodeClient: Client } = await import('@sentry/node');
      return new Client({
        dsn: this.dsn,
        release: `parley@${version}`,
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

  private isWithinLimit(now = Date.now()): boolean {
    if (now - this.window.beganAt > windowMs) this.window = { beganAt: now, reports: 0 };
    this.window.reports += 1;
    if (this.window.reports === mostPerWindow + 1)
      this.logger.warn({ mostPerWindow, windowMs }, 'too many errors at once; some are in the log only');
    return this.window.reports <= mostPerWindow;
  }
}
