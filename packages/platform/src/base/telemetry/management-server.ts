import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Health, Verdict } from './health.ts';

export type ManagementOptions = {
  readonly listen: { readonly host: string; readonly port: number };
  readonly health: Health;
  /** Returns all metrics in the text format of Prometheus. */
  readonly metrics: { readonly contentType: string; text(): Promise<string> };
};
export type RunningManagement = { readonly port: number; close(): Promise<void> };

/**
 * Starts the operator's port: `/health/startup|ready|live` (200, or 503 with reasons; `notes` for states that need
 * attention) and `/metrics`. It has no sign-in: keep it inside the network.
 */
export async function startManagement(options: ManagementOptions): Promise<RunningManagement> {
  const server = createServer(answer(options));
  const { host, port } = options.listen;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  return { port: (server.address() as AddressInfo).port, close: () => close(server) };
}

function answer({ health, metrics }: ManagementOptions): RequestListener {
  const probes: Readonly<Record<string, () => Verdict>> = {
    '/health/startup': () => health.startup(),
    '/health/ready': () => health.ready(),
    '/health/live': () => health.live(),
  };
  return (request, response) => {
    const path = request.url?.split('?')[0] ?? '';
    const probe = probes[path];
    if (request.method !== 'GET') {
      response.writeHead(405).end();
      return;
    }
    if (probe) return sendVerdict(response, probe());
    if (path !== '/metrics') {
      response.writeHead(404).end();
      return;
    }
    metrics.text().then(
      (text) => response.writeHead(200, { 'content-type': metrics.contentType }).end(text),
      () => response.writeHead(500).end(),
    );
  };
}

function sendVerdict(response: ServerResponse, { reasons, notes = [] }: Verdict): void {
  response
    .writeHead(reasons.length === 0 ? 200 : 503, { 'content-type': 'application/json' })
    .end(JSON.stringify({ ok: reasons.length === 0, reasons, ...(notes.length > 0 && { notes }) }));
}

async function close(server: Server): Promise<void> {
  const closed = new Promise<void>((resolve) => {
    server.close(() => resolve());
  });
  server.closeAllConnections();
  await closed;
}
