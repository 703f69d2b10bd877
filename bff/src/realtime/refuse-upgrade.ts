import type { Problem } from '@parley/protocol';
import type { Socket } from 'node:net';

/** Answers a request for a web socket as HTTP does, for engine.io itself knows no 401, and ends its connection. */
export function refuseUpgrade(connection: Socket, problem: Problem): void {
  const details = problem.toDetails();
  const body = JSON.stringify(details);
  connection.on('error', () => {});
  connection.end(
    [
      `HTTP/1.1 ${details.status} ${details.title}`,
      'Connection: close',
      'Content-Type: application/problem+json',
      `Content-Length: ${Buffer.byteLength(body)}`,
      '',
      body,
    ].join('\r\n'),
  );
}
