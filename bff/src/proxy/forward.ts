import { lastEventHeader, peersOf } from '@parley/contracts';
import {
  browserHeader,
  lateTokenHeader,
  networkHeader,
  patience,
  principalHeader,
  Problem,
  sessionHeader,
  type RouteContract,
} from '@parley/protocol';
import type { Platform } from '@parley/platform/service';
import type { Request, RequestHandler, Response } from 'express';
import { createProxyMiddleware } from 'http-proxy-middleware';
import { Agent, type ClientRequest, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { BffSettings } from '../bff-settings.ts';
import { endedCookie, readSessionId, sessionCookie } from '../session/cookie.ts';
import { networkOf } from '../session/network.ts';
import { isTokenLate, keepBody, sendAgain } from './late-token.ts';
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
  const agent = new Agent({ keepAlive: true, timeout: 60_000 });
  const streams = new Map<IncomingMessage, ServerResponse>();
  const parts = { settings, platform, denials, target, streams };
  const handle = createProxyMiddleware<IncomingMessage, ServerResponse>({
    target,
    agent,
    changeOrigin: false,
    xfwd: false,
    selfHandleResponse: true,
    on: {
      proxyReq: (outgoing, incoming, response) => {
        const locals = localsOf(response);
        const { admitted } = locals;
        outgoing.setTimeout(patienceOf(admitted), () => {
          locals.isLate = true;
          outgoing.destroy();
        });
        locals.sent = { first: outgoing, body: admitted.newToken ? keepBody(incoming) : null };
        prepare(outgoing, incoming, admitted);
        tellBrowser(outgoing, incoming as Request, { ...admitted, settings });
      },
      proxyRes: (answer, incoming, response) => {
        const { admitted, sent } = localsOf(response);
        if (!isTokenLate(answer) || !admitted.newToken || !sent?.body)
          return relay(parts, { answer, incoming, response });
        const { first, body } = sent;
        answer.resume();
        admitted
          .newToken()
          .then((token) => sendAgain({ target, agent, first, body: body(), token, patienceMs: patienceOf(admitted) }))
          .then((again) => {
            endTogether(again, response);
            relay(parts, { answer: again, incoming, response });
          })
          .catch((error: unknown) => fail(parts, error, { incoming, response }));
      },
      error: (error, incoming, response) => fail(parts, error, { incoming, response }),
    },
  });
  const filtered: RequestHandler = (request, response, next) => {
    dropOwnHeaders(request);
    return (handle as unknown as RequestHandler)(request, response, next);
  };
  const endStreams = () => streams.forEach((response, answer) => endStream(answer, response));
  return { handle: filtered, endStreams, close: () => agent.destroy() };
}

/**
 * Removes what only the BFF says to a service, before the proxy copies the request's headers. `expect` goes too: this
 * server has answered it, and the proxy doesn't call `proxyReq`, where all others are filtered, for a request with it.
 */
function dropOwnHeaders({ headers }: IncomingMessage): void {
  for (const name of ['expect', principalHeader, networkHeader, browserHeader, sessionHeader]) delete headers[name];
}

type RelayParts = UpstreamParts & {
  readonly target: string;
  /** The answers that would go on for ever. */
  readonly streams: Map<IncomingMessage, ServerResponse>;
};
type Exchange = { readonly incoming: IncomingMessage; readonly response: ServerResponse };

function relay(
  { settings, platform, denials, target, streams }: RelayParts,
  { answer, incoming, response }: Exchange & { readonly answer: IncomingMessage },
): void {
  if (isNoneOfOurs(answer)) {
    platform.logger.warn({ target, status: answer.statusCode }, 'something else answered for an upstream');
    answer.resume();
    sendProblem(response as Response, new Problem('platform.unavailable'), incoming as Request);
    return;
  }
  const { route, principal } = localsOf(response).admitted;
  takeSession(answer, route, settings.isInsecureHttp);
  if (answer.statusCode === 403 && principal) denials.note(principal, route);
  copyHead(answer, response);
  answer.pipe(response);
  // Who reads one that has an end would take a cut that is in order for it.
  if (route.stream === undefined || route.response !== undefined) return;
  streams.set(answer, response);
  answer.once('close', () => streams.delete(answer));
}

function fail(
  { platform, target }: RelayParts,
  error: unknown,
  { incoming, response }: { readonly incoming: IncomingMessage; readonly response: ServerResponse | Socket },
): void {
  // The client has gone, and the upstream may close by then.
  if (response.destroyed) return;
  platform.logger.warn({ target, err: error }, 'an upstream did not answer');
  if (!('setHeader' in response)) return void response.destroy();
  // A process that dies resets the connection, and so do we after too long; pages try again by themselves in the
  // first case only.
  const code = localsOf(response).isLate ? 'bff.upstream-timeout' : 'bff.upstream-unavailable';
  const problem = new Problem(code, { detail: 'Nothing was lost. Try again in a moment.' });
  sendProblem(response as Response, problem, incoming as Request);
}

type Locals = {
  readonly admitted: Admitted;
  isLate?: boolean;
  /** What has gone to the service; `body` is null where it isn't kept. */
  sent?: { readonly first: ClientRequest; readonly body: (() => Buffer) | null };
};
const localsOf = (response: ServerResponse): Locals => (response as Response).locals as Locals;

const patienceOf = ({ route }: Admitted): number => route.patienceMs ?? patience.usual;

/** As the proxy does with the first answer. */
function endTogether(answer: IncomingMessage, response: ServerResponse): void {
  response.once('close', () => answer.destroy());
  answer.once('close', () => {
    if (!answer.complete) response.destroy();
  });
}

/** What is about one connection stays on it. */
const ofConnection = new Set(['connection', 'keep-alive', 'transfer-encoding', lateTokenHeader]);

function copyHead({ statusCode = 500, headers }: IncomingMessage, response: ServerResponse): void {
  response.statusCode = statusCode;
  for (const [name, value] of Object.entries(headers))
    if (value !== undefined && !ofConnection.has(name)) response.setHeader(name, value);
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

/**
 * Who signs in hears nothing of it, auth does: where a visitor, or a password, comes from, by what, and which session the
 * browser had.
 */
function tellBrowser(
  outgoing: ClientRequest,
  incoming: Request,
  { route, settings }: Admitted & { readonly settings: BffSettings },
): void {
  if (route.scope !== 'public' && route.cost !== 'secret' && !route.tellsNetwork) return;
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
