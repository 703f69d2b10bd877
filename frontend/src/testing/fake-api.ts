import { problemCatalogue, routeEntries, type ApiRoute, type ContractOf } from '@parley/contracts';
import type {
  BodyOf,
  ParamsOf,
  ProblemCode,
  ProblemDetails,
  QueryOf,
  ResponseOf,
  RouteContract,
} from '@parley/protocol';

type Call<Route extends ApiRoute> = {
  params: ParamsOf<ContractOf<Route>>;
  query: QueryOf<ContractOf<Route>>;
  body: BodyOf<ContractOf<Route>>;
  headers: Record<string, string>;
};
/** What the server would say, by the route and typed by its contract. */
export type Handlers = {
  [Route in ApiRoute]?: (call: Call<Route>) => ResponseOf<ContractOf<Route>> | Refusal | undefined;
};
type Received = { route: ApiRoute; body: unknown; headers: Record<string, string> };

export class Refusal {
  readonly code: ProblemCode;
  readonly details: Pick<ProblemDetails, 'errors' | 'current'>;
  constructor(code: ProblemCode, details: Pick<ProblemDetails, 'errors' | 'current'>) {
    this.code = code;
    this.details = details;
  }
}

export const refuse = (code: ProblemCode, errors?: ProblemDetails['errors']) => new Refusal(code, { errors });

/** Somebody changed it meanwhile: this is how it stands now. */
export const refuseOld = (current: unknown) => new Refusal('platform.conflict', { current });

/**
 * Takes the place of `fetch`. Answers are checked against the contract too; a route without a handler is a failure of
 * the test.
 */
export function installFakeApi(handlers: Handlers): { calls: Received[] } {
  const calls: Received[] = [];
  const contracts = routeEntries.map(([, contract]) => contract).filter((contract) => contract.route in handlers);
  globalThis.fetch = (async (url: string, init: RequestInit = {}) => {
    const { pathname, searchParams } = new URL(url, 'http://localhost');
    const method = init.method ?? 'GET';
    const found = contracts
      .map((contract) => ({ contract, params: match(contract, method, pathname) }))
      .find(({ params }) => params !== null);
    if (!found) throw new Error(`No handler for ${method} ${pathname}`);
    const route = found.contract.route as ApiRoute;
    const body: unknown = typeof init.body === 'string' ? JSON.parse(init.body) : undefined;
    const headers = init.headers as Record<string, string>;
    calls.push({ route, body, headers });
    const handler = handlers[route] as (call: unknown) => unknown;
    const result = handler({ params: found.params, query: Object.fromEntries(searchParams), body, headers });
    return answer(found.contract, result);
  }) as typeof fetch;
  return { calls };
}

function match(route: RouteContract, method: string, pathname: string): Record<string, string> | null {
  if (route.method !== method) return null;
  const names = [...route.path.matchAll(/:(\w+)/g)].map(([, name]) => name as string);
  const found = new RegExp(`^${route.path.replace(/:\w+/g, '([^/]+)')}$`).exec(pathname);
  return found && Object.fromEntries(names.map((name, index) => [name, decodeURIComponent(found[index + 1] ?? '')]));
}

/** jsdom has no Response; this is all that the client reads of one. */
function answer(route: RouteContract, result: unknown): Response {
  const isRefused = result instanceof Refusal;
  const status = isRefused ? problemCatalogue[result.code].status : (route.status ?? 200);
  if (!isRefused && route.response) route.response.parse(result);
  const body = isRefused
    ? {
        type: `urn:parley:problem:${result.code}`,
        title: '',
        status,
        code: result.code,
        ...result.details,
        traceId: 'trace-1',
      }
    : result;
  return {
    status,
    ok: status < 400,
    text: async () => JSON.stringify(body ?? null),
    arrayBuffer: async () => (result as Uint8Array).buffer,
    headers: { get: () => null },
  } as unknown as Response;
}
