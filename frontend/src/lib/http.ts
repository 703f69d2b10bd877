import type { ApiRoute, ContractOf } from '@parley/contracts';
import type { OrgId, ProblemCode, ProblemDetails, ResponseOf, TabCallOf } from '@parley/protocol';

/** A refusal with a stable code, as the server sent it. */
export class ProblemError extends Error {
  readonly problem: ProblemDetails;

  constructor(problem: ProblemDetails) {
    super(`${problem.code}: ${problem.detail ?? problem.title}`);
    this.name = 'ProblemError';
    this.problem = problem;
  }

  get code(): ProblemCode {
    return this.problem.code;
  }
}

/** The server was not reached, or the connection ended before the answer did. */
export class NetworkError extends Error {
  constructor(options?: ErrorOptions) {
    super('The server could not be reached', options);
    this.name = 'NetworkError';
  }
}

/** Takes a file as its body: for `upload`, not for `api`. */
export type UploadRoute = {
  [Route in ApiRoute]: ContractOf<Route> extends { readonly rawBodyLimit: number } ? Route : never;
}[ApiRoute];
/** Answers with bytes: for an element that shows them, by their address. */
export type BytesRoute = {
  [Route in ApiRoute]: ContractOf<Route> extends { readonly bytes: string } ? Route : never;
}[ApiRoute];
/** Answers with a file: for `fetchFile`, not for `api`. */
export type DownloadRoute = {
  [Route in ApiRoute]: ContractOf<Route> extends { readonly download: true } ? Route : never;
}[ApiRoute];
export type JsonRoute = Exclude<ApiRoute, UploadRoute | BytesRoute | DownloadRoute>;
export type Answer<Route extends ApiRoute> = ResponseOf<ContractOf<Route>>;
/** What the route's contract wants of a caller: params, query, body, and the tab's organisation where it has one. */
export type Call<Route extends ApiRoute> = TabCallOf<ContractOf<Route>>;

type Sending = {
  signal?: AbortSignal | undefined;
  /** Repeats after a failure that passes; only calls whose repetition is harmless get any. */
  retries?: number;
  /** Goes on while the page is closed; for small bodies only. */
  keepalive?: boolean;
};
type CallArguments<Route extends ApiRoute> =
  object extends Call<Route> ? [call?: Call<Route> & Sending] : [call: Call<Route> & Sending];
/** A call whatever its route. */
type AnyCall = Sending & {
  orgId?: OrgId | undefined;
  params?: Readonly<Record<string, string>> | undefined;
  query?: Readonly<Record<string, string | number | undefined>> | undefined;
  body?: unknown;
};

const retryDelayMs = 400;

export function isProblem(error: unknown, code?: ProblemCode): error is ProblemError {
  return error instanceof ProblemError && (code === undefined || error.code === code);
}

/**
 * Calls the own origin, `api('GET /api/chat/documents', { orgId, query })`: the contract of the route types what is given
 * and what comes back. Throws `ProblemError` or `NetworkError`.
 */
export async function api<Route extends JsonRoute>(
  route: Route,
  ...[given]: CallArguments<Route>
): Promise<Answer<Route>> {
  const call = (given ?? {}) as AnyCall;
  let retries = call.retries ?? (methodOf(route) === 'GET' ? 2 : 0);
  // Refused before anything was done: a moment later the new rights are known everywhere.
  let isAgain = false;
  for (;;) {
    try {
      return await once<Answer<Route>>(route, call);
    } catch (error) {
      if (isProblem(error, 'platform.rights-changed') && !isAgain) isAgain = true;
      else if (!isPassing(error) || retries <= 0 || call.signal?.aborted) throw error;
      else retries -= 1;
      await new Promise((resolve) => setTimeout(resolve, retryDelayMs));
    }
  }
}

/** A lost connection, or a service that is just starting: the next try may find it. */
export const isPassing = (error: unknown): boolean =>
  error instanceof NetworkError ||
  isProblem(error, 'bff.upstream-unavailable') ||
  isProblem(error, 'platform.unavailable');

async function once<Result>(route: ApiRoute, call: AnyCall): Promise<Result> {
  let response: Response;
  try {
    response = await fetch(addressOf(route, call), {
      method: methodOf(route),
      headers: headersOf(route, call),
      body: call.body === undefined ? null : JSON.stringify(call.body),
      signal: call.signal ?? null,
      credentials: 'same-origin',
      keepalive: call.keepalive ?? false,
    });
  } catch (error) {
    if (call.signal?.aborted) throw error;
    throw new NetworkError({ cause: error });
  }
  return readAnswer<Result>(response);
}

export const methodOf = (route: ApiRoute): string => route.slice(0, route.indexOf(' '));

export function headersOf(route: ApiRoute, { orgId, body }: AnyCall): Record<string, string> {
  const headers: Record<string, string> = { accept: 'application/json' };
  if (body !== undefined) headers['content-type'] = 'application/json';
  if (methodOf(route) !== 'GET') {
    headers['parley-csrf'] = '1';
    // What the server writes for the reader is in the language of the page.
    headers['accept-language'] = document.documentElement.lang;
  }
  if (orgId) headers['parley-org'] = orgId;
  return headers;
}

/** The path of the route with its parameters filled in, and the query. */
export function addressOf(route: ApiRoute, { params = {}, query = {} }: AnyCall): string {
  const path = route
    .slice(route.indexOf(' ') + 1)
    .replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? ''));
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query))
    if (value !== undefined && value !== '') search.set(name, String(value));
  const text = search.toString();
  return text === '' ? path : `${path}?${text}`;
}

async function readAnswer<Result>(response: Response): Promise<Result> {
  if (response.status === 204) return undefined as Result;
  let body: string;
  try {
    body = await response.text();
  } catch (error) {
    throw new NetworkError({ cause: error });
  }
  if (response.ok) return JSON.parse(body) as Result;
  const retryAfter = Number(response.headers.get('retry-after'));
  throw toProblem(response.status, body, Number.isFinite(retryAfter) && retryAfter > 0 ? retryAfter : undefined);
}

/** Whatever answers instead of Parley (a proxy's error page) becomes a problem too. */
export function toProblem(status: number, body: string, retryAfterSeconds?: number): ProblemError {
  let details: Partial<ProblemDetails> = {};
  try {
    details = JSON.parse(body) as Partial<ProblemDetails>;
  } catch {
    // Not JSON: the status alone has to say it.
  }
  const code = typeof details.code === 'string' ? details.code : codeOfStatus(status);
  return new ProblemError({
    type: `urn:parley:problem:${code}`,
    title: code,
    retryAfterSeconds,
    ...details,
    status,
    code,
  });
}

function codeOfStatus(status: number): ProblemCode {
  if (status === 403) return 'platform.forbidden';
  if (status === 404) return 'platform.not-found';
  if (status === 413) return 'platform.body-too-large';
  if (status === 429) return 'platform.rate-limited';
  if (status === 504) return 'bff.upstream-timeout';
  // Nothing of Parley says 401 without a problem: a proxy before it wants a password of its own.
  if (status === 401 || status === 502 || status === 503) return 'bff.upstream-unavailable';
  return 'platform.internal';
}
