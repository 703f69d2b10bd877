import { errorLimits, sendErrorEnvelope, takeErrorReports, type ErrorDrop, type ErrorReport } from '@parley/contracts';
import { every } from '@parley/platform/every';
import { Problem, type UserId } from '@parley/protocol';
import type { Platform } from '@parley/platform/service';
import type { Request, Response } from 'express';
import type { BffSettings } from '../bff-settings.ts';
import { readSessionId } from '../session/cookie.ts';
import type { Principals } from '../session/principals.ts';
import { DsnClient } from './dsn-client.ts';
import { readEnvelope } from './read-envelope.ts';

const tellEveryMs = 5_000;
const telling = { deadlineMs: 5_000, failMode: 'refuse' } as const;

type TunnelParts = {
  readonly platform: Platform;
  readonly settings: Pick<BffSettings, 'isInsecureHttp' | 'sentryDsn'>;
  readonly principals: Pick<Principals, 'session'>;
};

/** What fails in a browser comes in here, and goes to the collector, or where the DSN says. */
export class ErrorTunnel {
  private readonly drops = new Map<ErrorDrop, number>();
  private readonly telling = every('tells which errors were dropped', tellEveryMs, () => this.tell([]));
  private readonly dsn: DsnClient | null;

  constructor(private readonly parts: TunnelParts) {
    this.telling.start(parts.platform.logger);
    const { sentryDsn } = parts.settings;
    this.dsn = sentryDsn === null ? null : new DsnClient(sentryDsn);
  }

  async take(request: Request, response: Response): Promise<void> {
    const text = await this.bodyOf(request);
    const read = readEnvelope(text, new Date());
    if (!read) {
      this.drop('malformed');
      throw new Problem('platform.invalid-request', { detail: 'This is no envelope.' });
    }
    for (const [reason, count] of Object.entries(read.drops)) this.drop(reason as ErrorDrop, count);
    if (read.reports.length > 0) await this.pass(read.reports, await this.personOf(request));
    response.status(204).end();
  }

  /** Counts what was refused before it came here. */
  refused({ code }: Problem): void {
    if (code === 'platform.rate-limited') this.drop('rate');
  }

  async close(): Promise<void> {
    await this.telling.stop();
    await this.tell([]);
    await this.dsn?.close();
  }

  private drop(reason: ErrorDrop, count = 1): void {
    this.drops.set(reason, (this.drops.get(reason) ?? 0) + count);
  }

  private async pass(reports: readonly ErrorReport[], userId: UserId | null): Promise<void> {
    const { logger } = this.parts.platform;
    for (const { eventId, digest, traceId, route, release, errors } of reports)
      logger.warn({ eventId, digest, traceId, route, release, type: errors[0]?.type }, 'a page failed in a browser');
    if (!this.dsn)
      return this.tell(
        reports.map((report) => ({ ...report, userId })),
        { mustArrive: true },
      );
    for (const report of reports)
      await this.dsn.send(report).catch((error: unknown) => {
        logger.warn({ err: error, eventId: report.eventId }, "a page's error could not be reported");
      });
  }

  /** Tells the collector, with what was dropped since it was told last. */
  private async tell(reports: ErrorReport[], { mustArrive = false } = {}): Promise<void> {
    const drops = Object.fromEntries(this.drops);
    if (reports.length === 0 && this.drops.size === 0) return;
    this.drops.clear();
    try {
      await this.parts.platform.peers.call(takeErrorReports, { body: { reports, drops } }, telling);
    } catch (error) {
      for (const [reason, count] of Object.entries(drops)) this.drop(reason as ErrorDrop, count);
      if (mustArrive) throw error;
    }
  }

  /** Null for a visitor; people are counted, and a report of somebody unknown is one nevertheless. */
  private async personOf({ headers }: Request): Promise<UserId | null> {
    const { principals, settings } = this.parts;
    const session = principals.session(readSessionId(headers.cookie, settings.isInsecureHttp));
    return session.then(
      ({ me }) => me.id,
      () => null,
    );
  }

  /** As text, and never packed: what unpacks to more than was sent is no way around the limit. */
  private async bodyOf(request: Request): Promise<string> {
    const { headers } = request;
    if (headers['content-encoding'] !== undefined && headers['content-encoding'] !== 'identity') {
      this.drop('malformed');
      throw new Problem('platform.unsupported-media-type', { detail: 'Send it as it is, not packed.' });
    }
    const body = await readUpTo(request, errorLimits.envelopeBytes);
    if (body !== null) return body.toString();
    this.drop('size');
    throw new Problem('platform.body-too-large', { detail: `At most ${sendErrorEnvelope.rawBodyLimit} bytes.` });
  }
}

/** Null when it is longer; the rest is left unread, and the connection good for an answer. */
async function readUpTo(request: Request, most: number): Promise<Buffer | null> {
  if (Number(request.headers['content-length'] ?? 0) > most) return null;
  const chunks: Buffer[] = [];
  let bytes = 0;
  const { promise, resolve, reject } = Promise.withResolvers<Buffer | null>();
  const onData = (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > most) resolve(null);
    else chunks.push(chunk);
  };
  const onEnd = () => resolve(Buffer.concat(chunks));
  // Nobody waits for the answer, and it is no fault of ours.
  const onLoss = () => reject(new Problem('platform.invalid-request', { detail: 'The body ended too early.' }));
  request.on('data', onData).once('end', onEnd).once('error', onLoss).once('close', onLoss);
  try {
    return await promise;
  } finally {
    request.off('data', onData).off('end', onEnd).off('close', onLoss);
  }
}
