import {
  allRoutes,
  problemCatalogue,
  type BodyOf,
  type ParamsOf,
  type ProblemCode,
  type QueryOf,
  type ResponseOf,
  type RouteContract,
  type RouteName,
} from '@parley/contracts';

type Routes = typeof allRoutes;
type Call<Name extends RouteName> = {
  params: ParamsOf<Routes[Name]>;
  query: QueryOf<Routes[Name]>;
  body: BodyOf<Routes[Name]>;
  headers: Record<string, string>;
};
/** What the server would say, typed by the contract of the route. */
export type Handlers = { [Name in RouteName]?: (call: Call<Name>) => ResponseOf<Routes[Name]> | Refusal | undefined };

export class Refusal {
  readonly code: ProblemCode;
  constructor(code: ProblemCode) {
    this.code = code;
  }
}

export const refuse = (code: ProblemCode) => new Refusal(code);

/**
 * Takes the place of `fetch`. Answers are checked against the contract too; a route without a handler is a failure of
 * the test.
 */
export function installFakeApi(handlers: Handlers): {
  calls: { name: RouteName; body: unknown; headers: Record<string, string> }[];
} {
  const calls: { name: RouteName; body: unknown; headers: Record<string, string> }[] = [];
  globalThis.fetch = (async (url: string, init: RequestInit = {}) => {
    const { pathname, searchParams } = new URL(url, 'http://localhost');
    const method = init.method ?? 'GET';
    const found = (Object.keys(handlers) as RouteName[])
      .map((name) => ({ name, params: match(allRoutes[name], method, pathname) }))
      .find(({ params }) => params !== null);
    if (!found) throw new Error(`No handler for ${method} ${pathname}`);
    const body: unknown = typeof init.body === 'string' ? JSON.parse(init.body) : undefined;
    const headers = init.headers as Record<string, string>;
    calls.push({ name: found.name, body, headers });
    const handler = handlers[found.name] as (call: unknown) => unknown;
    return answer(
      allRoutes[found.name],
      handler({ params: found.params, query: Object.fromEntries(searchParams), body, headers }),
    );
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
    ? { type: `urn:parley:problem:${result.code}`, title: '', status, code: result.code, traceId: 'trace-1' }
    : result;
  return {
    status,
    ok: status < 400,
    text: async () => JSON.stringify(body ?? null),
    headers: { get: () => null },
  } as unknown as Response;
}
