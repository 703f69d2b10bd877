import {
  Problem,
  problemCatalogue,
  principalHeader,
  type CallOf,
  type Deployable,
  type ProblemDetails,
  type ResponseOf,
  type RouteContract,
} from '@parley/contracts';
import { Agent, request } from 'undici';

export type CallOptions<Route> = CallOf<Route> & {
  readonly baseUrl: string;
  /** The internal token, audience = the called service. */
  readonly token: string;
  readonly timeoutMs: number;
  readonly traceparent?: string;
};

type SendOptions = Pick<CallOptions<unknown>, 'token' | 'timeoutMs' | 'traceparent'> & { readonly body?: unknown };

/** Typed calls of other services by their contracts, over kept-alive connections. */
export class HttpClient {
  private readonly agent = new Agent({ connections: 64, keepAliveTimeout: 30_000 });

  /** The service's problem is thrown as it came; no answer in time is `platform.unavailable`. */
  async call<Route extends RouteContract>(route: Route, options: CallOptions<Route>): Promise<ResponseOf<Route>> {
    const url = options.baseUrl + pathOf(route, options.params) + queryOf(options.query);
    const answer = await this.send(route, url, options as SendOptions);
    const payload: unknown = answer.text === '' ? undefined : JSON.parse(answer.text);
    if (answer.status >= 400) throw problemOf(payload);
    return (route.response ? route.response.parse(payload) : undefined) as ResponseOf<Route>;
  }

  async close(): Promise<void> {
    await this.agent.close();
  }

  private async send(
    route: RouteContract,
    url: string,
    options: SendOptions,
  ): Promise<{ status: number; text: string }> {
    try {
      const response = await request(url, {
        method: route.method,
        dispatcher: this.agent,
        headersTimeout: options.timeoutMs,
        bodyTimeout: options.timeoutMs,
        headers: {
          [principalHeader]: options.token,
          ...(options.body === undefined ? {} : { 'content-type': 'application/json' }),
          ...(options.traceparent === undefined ? {} : { traceparent: options.traceparent }),
        },
        body: options.body === undefined ? null : JSON.stringify(options.body),
      });
      return { status: response.statusCode, text: await response.body.text() };
    } catch (cause) {
      throw new Problem(
        'platform.unavailable',
        { detail: `The ${serviceOf(route)} service did not answer.` },
        { cause },
      );
    }
  }
}

const serviceOf = (route: RouteContract): Deployable => route.service;

/** Fills the path's parameters, each encoded. */
export function pathOf(route: Pick<RouteContract, 'path'>, params: unknown): string {
  const values = (params ?? {}) as Record<string, string>;
  return route.path.replaceAll(/:([A-Za-z]+)/g, (_match, name: string) => encodeURIComponent(values[name] ?? ''));
}

function queryOf(query: unknown): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries((query ?? {}) as Record<string, string | number | undefined>))
    if (value !== undefined) search.set(name, String(value));
  return search.size === 0 ? '' : `?${search.toString()}`;
}

function problemOf(payload: unknown): Problem {
  const details = payload as Partial<ProblemDetails> | undefined;
  if (!details?.code || !(details.code in problemCatalogue)) return new Problem('platform.internal');
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
