import type { OutboundClient } from '@parley/platform/outbound';
import type { Readable } from 'node:stream';
import { toModelFailure } from './to-model-failure.ts';

/** An OpenAI-compatible server: its address, usually ending in `/v1`, and what opens it. */
export type ModelServer = {
  readonly baseUrl: string;
  readonly apiKey: string | null;
  readonly outbound: OutboundClient;
};

const longestRefusal = 16_384;

/** The body of the server's answer as it comes. Throws `ModelFailure` unless the status is 2xx. */
export async function callModelServer(
  server: ModelServer,
  path: string,
  call: { signal: AbortSignal; body?: unknown },
): Promise<Readable> {
  const headers = {
    ...(server.apiKey !== null && { authorization: `Bearer ${server.apiKey}` }),
    ...(call.body !== undefined && { 'content-type': 'application/json', accept: 'text/event-stream' }),
  };
  try {
    const { statusCode, body } = await server.outbound.request(`${server.baseUrl.replace(/\/+$/, '')}${path}`, {
      method: call.body === undefined ? 'GET' : 'POST',
      headers,
      signal: call.signal,
      body: call.body === undefined ? null : JSON.stringify(call.body),
    });
    if (statusCode >= 200 && statusCode < 300) return body;
    throw Object.assign(new Error(`HTTP ${statusCode}`), {
      statusCode,
      responseBody: (await readText(body, longestRefusal)) ?? '',
    });
  } catch (error) {
    throw toModelFailure(error, server);
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
