import {
  browserHeader,
  lastEventHeader,
  networkHeader,
  patience,
  peersOf,
  principalHeader,
  Problem,
  sessionHeader,
  type RouteContract,
} from '@parley/contracts';
import type { Platform } from '@parley/platform/service';
import type { Request, RequestHandler, Response } from 'express';
import { createProxyMiddleware } from 'http-proxy-middleware';
import { Agent, type ClientRequest, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { BffSettings } from '../bff-settings.ts';
import { endedCookie, readSessionId, sessionCookie } from '../session/cookie.ts';
import { networkOf } from '../session/network.ts';
import { sendProblem } from './send-problem.ts';
import type { Admitted } from './api-gate.ts';
import type { Denials } from './denials.ts';

const longestBrowser = 300;
/** Kept from the browser's request; everything else stays outside. */
const forwarded = new Set([
  'accept',
  'content-type',
  'content-length',
  'transfer-encoding',
  'traceparent',
  lastEventHeader,
]);

/**
 * Pages that the browser keeps for its way back go with it. Not `storage`: texts that have not been sent are kept there
 * for their author, and none is ever lost. Not `cookies`: those of sibling hosts would go too, and the session's own
 * ends by itself.
 */
const clearedAtTheEnd = '"cache"';

type Upstream = {
  readonly handle: RequestHandler;
  /** Ends the answers that would go on for ever; whoever reads them comes back to another process. */
  endStreams(): void;
  close(): void;
};
export type Upstreams = Readonly<Record<RouteContract['service'], Upstream>>;

/** One proxy per service, each with its own kept-alive agent: without one, throughput falls to less than half. */
export async function createUpstreams(settings: BffSettings, platform: Platform, denials: Denials): Promise<Upstreams> {
  const pairs = peersOf.bff.map(
    async (service) =>
      [service, createUpstream(await platform.peers.addressOf(service), { settings, platform, denials })] as const,
  );
  return Object.fromEntries(await Promise.all(pairs)) as Upstreams;
}

type UpstreamParts = { readonly settings: BffSettings; readonly platform: Platform; readonly denials: Denials };

function createUpstream(target: string, { settings, platform, denials }: UpstreamParts): Upstream {
  const agent = new Agent({ keepAlive: true, maxSockets: 512, timeout: 60_000 });
  const streams = new Map<IncomingMessage, ServerResponse>();
  const handle = createProxyMiddleware<IncomingMessage, ServerResponse>({
    target,
    agent,
    changeOrigin: false,
    xfwd: false,
    on: {
      proxyReq: (outgoing, incoming, response) => {
        const { locals } = response as Response;
        const admitted = locals['admitted'] as Admitted;
        outgoing.setTimeout(admitted.route.patienceMs ?? patience.usual, () => {
          locals['isLate'] = true;
          outgoing.destroy();
        });
        prepare(outgoing, incoming, admitted);
        tellBrowser(outgoing, incoming as Request, { ...admitted, settings });
      },
      proxyRes: (answer, incoming, response) => {
        if (isNoneOfOurs(answer)) {
          platform.logger.warn({ target, status: answer.statusCode }, 'something else answered for an upstream');
          answer.resume();
          return sendProblem(response as Response, new Problem('platform.unavailable'), incoming as never);
        }
        const { route, principal } = (response as Response).locals['admitted'] as Admitted;
        takeSession(answer, route, settings.isInsecureHttp);
        if (answer.statusCode === 403 && principal) denials.note(principal, route);
        // Who reads one that has an end would take a cut that is in order for it.
        if (route.stream === undefined || route.response !== undefined) return;
        streams.set(answer, response);
        answer.once('close', () => streams.delete(answer));
      },
      error: (error, request, response) => {
        platform.logger.warn({ target, err: error }, 'an upstream did not answer');
        if (!('setHeader' in response)) return (response as Socket).destroy() as unknown as undefined;
        // A process that dies resets the connection, and so do we after too long; pages try again by themselves in the
        // first case only.
        const code = (response as Response).locals['isLate'] ? 'bff.upstream-timeout' : 'bff.upstream-unavailable';
        return sendProblem(
          response as Response,
          new Problem(code, { detail: 'Nothing was lost. Try again in a moment.' }),
          request as never,
        );
      },
    },
  });
  const endStreams = () => streams.forEach((response, answer) => endStream(answer, response));
  return { handle: handle as unknown as RequestHandler, endStreams, close: () => agent.destroy() };
}

/** A mesh or a balancer says in words of its own that the service is away: ours are always JSON. */
const isNoneOfOurs = ({ statusCode = 500, headers }: IncomingMessage): boolean =>
  statusCode >= 500 && !/^application\/(problem\+)?json\b/.test(headers['content-type'] ?? '');

function endStream(answer: IncomingMessage, response: ServerResponse): void {
  answer.unpipe(response);
  response.end(() => answer.destroy());
}

/** The service hears who it is from our token only. */
function prepare(outgoing: ClientRequest, incoming: IncomingMessage, { token }: Admitted): void {
  for (const name of outgoing.getHeaderNames())
    if (!forwarded.has(name) && name !== 'host' && name !== 'connection') outgoing.removeHeader(name);
  if (token !== null) outgoing.setHeader(principalHeader, token);
  const traceparent = incoming.headers['traceparent'];
  if (typeof traceparent === 'string') outgoing.setHeader('traceparent', traceparent);
}

/** Who signs in hears nothing of it, auth does: where a visitor comes from, by what, and which session the browser had. */
function tellBrowser(
  outgoing: ClientRequest,
  incoming: Request,
  { route, settings }: Admitted & { readonly settings: BffSettings },
): void {
  if (route.scope !== 'public') return;
  outgoing.setHeader(networkHeader, networkOf(incoming.ip ?? ''));
  if (route.session !== 'starts') return;
  const browser = incoming.headers['user-agent'];
  if (browser !== undefined) outgoing.setHeader(browserHeader, browser.slice(0, longestBrowser));
  const earlier = readSessionId(incoming.headers.cookie, settings.isInsecureHttp);
  if (earlier !== null) outgoing.setHeader(sessionHeader, earlier);
}

/** The session id leaves as a cookie and in no other way. */
function takeSession(answer: IncomingMessage, route: RouteContract, isInsecureHttp: boolean): void {
  const started = answer.headers[sessionHeader];
  delete answer.headers[sessionHeader];
  delete answer.headers['set-cookie'];
  const isOk = (answer.statusCode ?? 500) < 400;
  if (route.session === 'starts' && isOk && typeof started === 'string')
    answer.headers['set-cookie'] = [sessionCookie(started, isInsecureHttp)];
  if (route.session !== 'ends' || !isOk) return;
  answer.headers['set-cookie'] = [endedCookie(isInsecureHttp)];
  answer.headers['clear-site-data'] = clearedAtTheEnd;
}
