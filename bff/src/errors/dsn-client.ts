import type { ErrorReport } from '@parley/contracts';
import { OutboundClient } from '@parley/platform/outbound';
import { sentryEventOf } from '@parley/platform/reporter';

const deadlineMs = 5_000;
/** More wait, and are late by then. */
const connections = 8;

/**
 * Sends pages' errors on to the Sentry, or the like, of the DSN: to its host and to none else, under its own project and
 * key, whatever the browser has said.
 */
export class DsnClient {
  private readonly address: string;
  private readonly auth: string;
  private readonly outbound: OutboundClient;

  constructor(dsn: string) {
    const { protocol, hostname, port, host, username, pathname } = new URL(dsn);
    const slash = pathname.lastIndexOf('/');
    this.address = `${protocol}//${host}${pathname.slice(0, slash)}/api/${pathname.slice(slash + 1)}/envelope/`;
    this.auth = `Sentry sentry_version=7, sentry_client=parley, sentry_key=${username}`;
    const own = `${hostname}:${port || (protocol === 'https:' ? '443' : '80')}`;
    // The operator has named this host, which may be a private one.
    this.outbound = new OutboundClient({ allows: (asked) => asked === own, connectTimeoutMs: deadlineMs, connections });
  }

  async send(report: ErrorReport): Promise<void> {
    const event = { ...sentryEventOf(report), release: report.release ?? undefined, environment: 'production' };
    const head = { event_id: report.eventId, sent_at: new Date().toISOString() };
    const { body, statusCode } = await this.outbound.request(this.address, {
      method: 'POST',
      headers: { 'content-type': 'application/x-sentry-envelope', 'x-sentry-auth': this.auth },
      body: [head, { type: 'event' }, event].map((line) => JSON.stringify(line)).join('\n'),
      signal: AbortSignal.timeout(deadlineMs),
    });
    // What it says besides is not wanted; the deadline ends it.
    body.on('error', () => undefined).resume();
    if (statusCode >= 400) throw new Error(`The receiver of reports answered ${statusCode}.`);
  }

  close(): Promise<void> {
    return this.outbound.close();
  }
}
