import { lateTokenHeader, principalHeader } from '@parley/protocol';
import { request, type Agent, type ClientRequest, type IncomingMessage } from 'node:http';

/** Larger bodies aren't kept: the client gets 503 and can send the request again. */
const mostKeptBytes = 64 * 1024;

/** The service got the request after its token had expired, and did nothing. */
export const isTokenLate = ({ statusCode, headers }: IncomingMessage): boolean =>
  statusCode === 503 && headers[lateTokenHeader] !== undefined;

/** Keeps what is read of a small body on its way to the service; null where it is large or of unknown length. */
export function keepBody(incoming: IncomingMessage): (() => Buffer) | null {
  const { 'content-length': length = '0', 'transfer-encoding': encoding } = incoming.headers;
  if (encoding !== undefined || Number(length) > mostKeptBytes) return null;
  const chunks: Buffer[] = [];
  if (Number(length) > 0) incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
  return () => Buffer.concat(chunks);
}

export type Again = {
  readonly target: string;
  readonly agent: Agent;
  readonly first: ClientRequest;
  readonly body: Buffer;
  readonly token: string;
  readonly patienceMs: number;
};

/** Sends the same request with a new token; rejects where no answer comes within `patienceMs`. */
export function sendAgain({ target, agent, first, body, token, patienceMs }: Again): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const headers = { ...first.getHeaders(), [principalHeader]: token } as Record<string, string>;
    const again = request(new URL(first.path, target), { agent, method: first.method, headers })
      .once('response', resolve)
      .once('error', reject);
    again.setTimeout(patienceMs, () => again.destroy(new Error('The service did not answer in time.')));
    again.end(body);
  });
}
