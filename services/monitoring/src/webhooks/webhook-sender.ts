import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import type { OutsideEvent } from '@parley/contracts';
import { Problem } from '@parley/protocol';
import { OutboundClient } from '@parley/platform/outbound';
import { createHmac, randomBytes } from 'node:crypto';
import type { Readable } from 'node:stream';
import { MonitoringSettings } from '../monitoring.config.ts';
import { mostTurns, type Outcome } from './webhook.ts';

const answerMs = 15_000;
const mostAnswerBytes = 64_000;
const connectTimeoutMs = 10_000;
const secretStart = 'whsec_';
const secretBytes = 32;

/** As Standard Webhooks writes it. */
export const newWebhookSecret = (): string => secretStart + randomBytes(secretBytes).toString('base64');

type Sent = {
  readonly url: string;
  readonly secret: string;
  readonly event: OutsideEvent;
  readonly now: Date;
  /** The process ends. */
  readonly signal: AbortSignal;
};

/** The guarded way out to webhooks: what it may not call it calls in no way, redirects included, for it follows none. */
@Injectable()
export class WebhookSender implements OnApplicationShutdown {
  private readonly client: OutboundClient;

  constructor(private readonly settings: MonitoringSettings) {
    // Turns are the only bound: calls of one organisation hold up none of another one at the same host.
    const allows = (address: string) => this.settings.outboundAllow.includes(address);
    this.client = new OutboundClient({ allows, connectTimeoutMs, connections: mostTurns });
  }

  onApplicationShutdown(): Promise<void> {
    return this.client.close();
  }

  /** `platform.address-not-allowed` for whoever is about to save it. */
  async check(url: string): Promise<void> {
    const { protocol, hostname, port } = new URL(url);
    const hostAndPort = `${hostname}:${port || (protocol === 'https:' ? '443' : '80')}`;
    const allowed = `Whoever runs this server can allow it: PARLEY_OUTBOUND_ALLOW=${hostAndPort}.`;
    if (protocol === 'http:' && !this.settings.outboundAllow.includes(hostAndPort))
      throw notAllowed(`A webhook needs an address that begins with https. ${allowed}`);
    await this.client.check(url).catch((error: unknown) => {
      throw error instanceof Problem ? notAllowed(`${hostAndPort} is not a public address. ${allowed}`) : error;
    });
  }

  /** Never rejects for what the other side does. */
  async send({ url, secret, event, now, signal }: Sent): Promise<Outcome> {
    const timestamp = Math.floor(now.getTime() / 1_000);
    const body = JSON.stringify(event);
    const headers = {
      'content-type': 'application/cloudevents+json',
      'user-agent': 'Parley',
      'webhook-id': event.id,
      'webhook-timestamp': String(timestamp),
      'webhook-signature': signatureOf(secret, { id: event.id, timestamp, body }),
    };
    const call = {
      method: 'POST',
      headers,
      body,
      signal: AbortSignal.any([signal, AbortSignal.timeout(answerMs)]),
    } as const;
    try {
      const { statusCode, body: answer } = await this.client.request(url, call);
      await readAway(answer);
      const isTaken = statusCode >= 200 && statusCode < 300;
      return { lastStatus: statusCode, lastFailure: isTaken ? null : 'status' };
    } catch (error) {
      return { lastStatus: null, lastFailure: error instanceof Problem ? 'address' : 'no-answer' };
    }
  }
}

const notAllowed = (detail: string): Problem => new Problem('platform.address-not-allowed', { detail });

/** The status has said it all. What little there is frees the connection for the next call, more ends it. */
async function readAway(answer: Readable): Promise<void> {
  let bytes = 0;
  try {
    for await (const chunk of answer) if ((bytes += (chunk as Buffer).length) > mostAnswerBytes) return;
  } catch {
    // It was cut after its status.
  }
}

/** The signature of Standard Webhooks: whoever has the secret knows by it who sent what, and when. */
function signatureOf(secret: string, parts: { id: string; timestamp: number; body: string }): string {
  const key = Buffer.from(secret.slice(secretStart.length), 'base64');
  const hmac = createHmac('sha256', key).update(`${parts.id}.${parts.timestamp}.${parts.body}`);
  return `v1,${hmac.digest('base64')}`;
}
