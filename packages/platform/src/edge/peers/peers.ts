import { peersOf, type Deployable, type Service } from '@parley/contracts';
import {
  isProblemCode,
  parseKnown,
  principalHeader,
  Problem,
  type CallOf,
  type ProblemDetails,
  type ResponseOf,
  type RouteContract,
} from '@parley/protocol';
import { Agent, request } from 'undici';
import type { TokenSigner } from '../../base/crypto/index.ts';
import type { Logger } from '../../base/logging/index.ts';
import { callContext } from '../../events/work/index.ts';

/** Resolves with the address of a service; waits for one that is starting. */
export type AddressOf = (service: Service) => Promise<string>;

export type PeerParts = {
  readonly deployable: Deployable;
  readonly addressOf: AddressOf;
  readonly signer: TokenSigner;
  readonly logger: Logger;
};

/** Internal and public routes are called as the deployable, all others for a person, whose token is given. */
type Caller<Route> = Route extends { readonly scope: 'internal' | 'public' }
  ? { readonly personToken?: undefined }
  : { readonly personToken: string };

export type CallOptions<Route, Fallback = never> = Caller<Route> & {
  /** Milliseconds for the whole call, including the wait for the peer's address. */
  readonly deadlineMs: number;
  /**
   * The result if the peer fails: `refuse` throws `platform.unavailable`; `otherwise` is returned instead, with one
   * warning in the log per outage.
   */
  readonly failMode: 'refuse' | { readonly otherwise: Fallback };
};

type Input = { readonly params?: unknown; readonly query?: unknown; readonly body?: unknown };
type Sent = CallOptions<RouteContract> & { readonly signal: AbortSignal };
type Answer = { readonly status: number; readonly payload: unknown };

/**
 * Calls other services by their contracts: `peers.call(route, input, { deadlineMs, failMode })`. Only services that
 * `peersOf` lists for the deployable can be called. The current trace goes along.
 */
export class Peers {
  private readonly agent = new Agent({ connections: 64, keepAliveTimeout: 30_000 });
  private readonly parts: PeerParts;
  private readonly away = new Set<Service>();

  constructor(parts: PeerParts) {
    this.parts = parts;
  }

  /**
   * Calls the route. Throws a caller's problem (4xx) unchanged. No answer in time, invalid JSON and an error of the
   * peer (5xx) follow the fail mode. Unknown fields are ignored.
   */
  async call<Route extends RouteContract, Fallback = never>(
    route: Route,
    input: CallOf<Route>,
    options: CallOptions<Route, Fallback>,
  ): Promise<ResponseOf<Route> | Fallback> {
    const { failMode } = options;
    try {
      const answer = await this.answerOf(route, input, options as CallOptions<RouteContract>);
      const response = (route.response ? parseKnown(route.response, answer) : undefined) as ResponseOf<Route>;
      if (this.away.delete(route.service)) this.parts.logger.info({ peer: route.service }, 'a peer answers again');
      return response;
    } catch (error) {
      const isAway = error instanceof Problem && error.code === 'platform.unavailable';
      if (!isAway || failMode === 'refuse') throw error;
      this.warnOnce(route.service, error);
      return failMode.otherwise;
    }
  }

  /** Resolves with the address of a peer, for a caller that forwards requests unchanged. */
  addressOf(service: Service): Promise<string> {
    const { deployable, addressOf } = this.parts;
    const known: readonly Service[] = peersOf[deployable];
    if (!known.includes(service)) throw new Error(`${deployable} does not call ${service}: peersOf does not list it.`);
    return addressOf(service);
  }

  async close(): Promise<void> {
    await this.agent.close();
  }

  private async answerOf(route: RouteContract, input: Input, options: CallOptions<RouteContract>): Promise<unknown> {
    // Throws whatever the fail mode is: the caller's code is wrong if its deployable can't call the service.
    const address = this.addressOf(route.service);
    const { status, payload } = await this.send(route, { input, address, options }).catch((cause: unknown) => {
      throw unavailable(route.service, cause);
    });
    if (status < 400) return payload;
    const problem = problemOf(payload);
    if (status >= 500 || !problem) throw unavailable(route.service, problem);
    throw problem;
  }

  private async send(
    route: RouteContract,
    { input, address, options }: { input: Input; address: Promise<string>; options: CallOptions<RouteContract> },
  ): Promise<Answer> {
    // Rounds up, because the timeout takes whole milliseconds only and the rest of a deadline is seldom whole.
    const signal = AbortSignal.timeout(Math.ceil(options.deadlineMs));
    const url = (await inTime(address, signal)) + pathOf(route, input.params) + queryOf(input.query);
    const { statusCode, body } = await request(url, {
      method: route.method,
      dispatcher: this.agent,
      signal,
      headers: await this.headersOf(route, input, { ...options, signal }),
      body: input.body === undefined ? null : JSON.stringify(input.body),
    });
    const text = await body.text();
    return { status: statusCode, payload: text === '' ? undefined : JSON.parse(text) };
  }

  private async headersOf(route: RouteContract, input: Input, options: Sent): Promise<Record<string, string>> {
    const { traceparent } = callContext.current();
    const token = options.personToken ?? (await this.parts.signer.signAsService(route.service));
    return {
      ...(route.scope === 'public' ? {} : { [principalHeader]: token }),
      ...(input.body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(traceparent !== null && { traceparent }),
    };
  }

  private warnOnce(peer: Service, error: unknown): void {
    if (this.away.has(peer)) return;
    this.away.add(peer);
    this.parts.logger.warn({ peer, err: error }, 'a peer fails; its callers go on without it');
  }
}

const unavailable = (service: Service, cause: unknown): Problem =>
  new Problem('platform.unavailable', { detail: `The ${service} service did not answer.` }, { cause });

/** Resolves like the promise, but rejects if the signal comes first. */
async function inTime<Value>(promise: Promise<Value>, signal: AbortSignal): Promise<Value> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const onAbort = () => reject(signal.reason);
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    return await Promise.race([promise, late]);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}

/** Fills the path's parameters, encoded. */
function pathOf(route: RouteContract, params: unknown): string {
  const values = (params ?? {}) as Record<string, string>;
  return route.path.replaceAll(/:([A-Za-z]+)/g, (_match, name: string) => encodeURIComponent(values[name] ?? ''));
}

function queryOf(query: unknown): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries((query ?? {}) as Record<string, string | number | undefined>))
    if (value !== undefined) search.set(name, String(value));
  return search.size === 0 ? '' : `?${search.toString()}`;
}

/** Returns the problem that the service threw; null if the response isn't a problem. */
function problemOf(payload: unknown): Problem | null {
  const details = payload as Partial<ProblemDetails> | null | undefined;
  if (!details?.code || !isProblemCode(details.code)) return null;
  const {
    code,
    type: _type,
    title: _title,
    status: _status,
    instance: _instance,
    traceId: _traceId,
    ...extras
  } = details as ProblemDetails;
  return new Problem(code, extras);
}
