import type { Platform, RunningService } from '@parley/platform/service';
import { Counts } from '@parley/platform/counts';
import { requestTimer } from '@parley/platform/telemetry';
import { Problem } from '@parley/protocol';
import express, { type Express, type NextFunction, type Request, type Response } from 'express';
import { createServer as createHttpServer, type Server } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { BffSettings } from './bff-settings.ts';
import { ErrorTunnel } from './errors/error-tunnel.ts';
import { errorTestsHidden } from './errors/hidden-pages.ts';
import { createPages } from './pages/pages.ts';
import { securityHeaders } from './pages/security-headers.ts';
import { createApi } from './proxy/api.ts';
import { ApiGate, type Admitted } from './proxy/api-gate.ts';
import { Denials } from './proxy/denials.ts';
import { createUpstreams } from './proxy/forward.ts';
import { RateLimits } from './proxy/rate-limits.ts';
import { sendProblem } from './proxy/send-problem.ts';
import { SlowClients } from './proxy/slow-clients.ts';
import { relayEvents } from './realtime/event-relay.ts';
import { relayNow } from './realtime/now-relay.ts';
import { Presence } from './realtime/presence.ts';
import { relayPresence } from './realtime/presence-relay.ts';
import { Sockets } from './realtime/sockets.ts';
import { KeyPrincipals } from './session/key-principals.ts';
import { OwnSite } from './session/own-site.ts';
import { Principals } from './session/principals.ts';

export type { BffSettings } from './bff-settings.ts';
export { rateSetting } from './rate-setting.ts';
export { rateTable } from './proxy/rate-limits.ts';
export { createPages } from './pages/pages.ts';
export { securityHeaders } from './pages/security-headers.ts';

const closeGraceMs = 3_000;

/** Starts the browser's only door: pages, `/api/**` and `/v1/**` to the services, `/socket.io`. Resolves when it listens. */
export async function startBff(platform: Platform, settings: BffSettings): Promise<RunningService> {
  const ownSite = new OwnSite(settings);
  const principals = new Principals(platform);
  const counts = new Counts(platform.kv);
  const keys = new KeyPrincipals({ platform, principals, counts });
  const presence = new Presence(platform);
  const denials = new Denials(platform);
  const upstreams = await createUpstreams(settings, platform, denials);
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('trust proxy', [...settings.trustedProxies]);
  app.use(requestTimer(platform, 'bff', routeOf));
  app.use((request: Request, response: Response, next: NextFunction) => {
    if (ownSite.isOwnHost(request)) next();
    else response.status(421).type('text').send('This host name is not served here.');
  });
  app.use(...securityHeaders(settings.tls !== null || settings.publicUrl?.startsWith('https:') === true));
  const rates = new RateLimits(counts, settings.rates);
  const gate = new ApiGate({ settings, ownSite, principals, keys, presence, rates });
  const tunnel = new ErrorTunnel({ platform, settings, principals });
  const api = createApi({ gate, upstreams, tunnel, platform, counts });
  const pages = createPages(settings, platform, errorTestsHidden({ platform, settings, principals }));
  app.use((request: Request, response: Response, next: NextFunction) =>
    (isForServices(request) ? api : pages)(request, response, next),
  );
  app.use((request: Request, response: Response) =>
    sendProblem(response, new Problem('platform.method-not-allowed'), request),
  );

  const server = createServer(settings, app);
  const slowClients = new SlowClients(server);
  const sockets = new Sockets(server, { platform, settings, ownSite, principals, presence, counts, rates });
  platform.metrics.gauge('parley_socket_open', { service: 'bff' }, () => sockets.openCount);
  const watching = await relayEvents(platform, sockets);
  const stopPresence = relayPresence(platform, sockets);
  const stopNow = relayNow(platform, sockets);
  const url = await listen(server, platform.listen, settings.tls !== null);
  const close = async () => {
    await watching.close();
    stopPresence();
    stopNow();
    sockets.drain();
    await presence.close();
    for (const upstream of Object.values(upstreams)) upstream.endStreams();
    await closeServer(server);
    slowClients.close();
    for (const upstream of Object.values(upstreams)) upstream.close();
    await denials.close();
    await tunnel.close();
    counts.close();
  };
  let closing: Promise<void> | null = null;
  return { url, close: () => (closing ??= close()) };
}

function createServer({ tls }: BffSettings, app: Express): Server {
  const server = tls ? createHttpsServer(tls, app) : createHttpServer(app);
  server.keepAliveTimeout = 65_000;
  server.headersTimeout = 20_000;
  // `SlowClients` cuts those that send too little.
  server.requestTimeout = 0;
  return server;
}

/** `/api` is the browser's, `/v1` what programs rely on. */
const isForServices = ({ path }: Request): boolean => path.startsWith('/api/') || path.startsWith('/v1/');

/** A page, or the contract that the gate has found. */
function routeOf(request: Request, response: Response): string | undefined {
  if (!isForServices(request)) return 'page';
  return (response.locals['admitted'] as Admitted | undefined)?.route.path;
}

async function listen(server: Server, { host, port }: Platform['listen'], isTls: boolean): Promise<string> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => resolve());
  });
  const shown = host.includes(':') ? `[${host}]` : host;
  return `${isTls ? 'https' : 'http'}://${shown}:${(server.address() as AddressInfo).port}`;
}

/** Lets requests in hand finish for a moment, then cuts the rest. */
async function closeServer(server: Server): Promise<void> {
  const closed = new Promise<void>((resolve) => {
    server.close(() => resolve());
  });
  server.closeIdleConnections();
  const timer = setTimeout(() => server.closeAllConnections(), closeGraceMs);
  await closed;
  clearTimeout(timer);
}
