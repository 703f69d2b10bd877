import type { ProviderKind } from '@parley/contracts';
import type { OutboundClient } from '@parley/platform/outbound';
import type { Readable } from 'node:stream';
import { toModelFailure } from './to-model-failure.ts';

/** A model server: its protocol, its address, usually ending in `/v1`, and what opens it. */
export type ModelServer = {
  readonly kind: ProviderKind;
  readonly baseUrl: string;
  readonly apiKey: string | null;
  readonly outbound: OutboundClient;
};

/** What is read of what a server says when it refuses. */
export const longestRefusal = 16_384;

/** Headers of each kind of provider: `key` carries the API key, `always` goes with every request. */
const ownHeaders: Record<
  ProviderKind,
  { key(apiKey: string): Record<string, string>; always: Record<string, string> }
> = {
  'openai-compatible': { key: (apiKey) => ({ authorization: `Bearer ${apiKey}` }), always: {} },
  anthropic: { key: (apiKey) => ({ 'x-api-key': apiKey }), always: { 'anthropic-version': '2023-06-01' } },
  google: { key: (apiKey) => ({ 'x-goog-api-key': apiKey }), always: {} },
};

/** The body of the server's answer as it comes. Throws `ModelFailure` unless the status is 2xx. */
export async function callModelServer(
  server: ModelServer,
  path: string,
  call: { signal: AbortSignal; body?: unknown; accept?: string },
): Promise<Readable> {
  const headers = {
    ...(server.apiKey !== null && ownHeaders[server.kind].key(server.apiKey)),
    ...ownHeaders[server.kind].always,
    ...(call.body !== undefined && { 'content-type': 'application/json', accept: call.accept ?? 'text/event-stream' }),
  };
  try {
    const {
      statusCode,
      headers: told,
      body,
    } = await server.outbound.request(`${server.baseUrl.replace(/\/+$/, '')}${path}`, {
      method: call.body === undefined ? 'GET' : 'POST',
      headers,
      signal: call.signal,
      body: call.body === undefined ? null : JSON.stringify(call.body),
    });
    if (statusCode >= 200 && statusCode < 300) return body;
    throw Object.assign(new Error(`HTTP ${statusCode}`), {
      statusCode,
      responseHeaders: told,
      responseBody: (await readText(body, longestRefusal)) ?? '',
    });
  } catch (error) {
    throw toModelFailure(error, server);
  }
}

/** Parses JSON; returns undefined if the text is none. */
export function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The whole body as text; null when it is longer. */
export async function readText(body: AsyncIterable<Uint8Array>, mostBytes: number): Promise<string | null> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body) {
    bytes += chunk.length;
    if (bytes > mostBytes) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
