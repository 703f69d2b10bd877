import type { OrgId, ProblemCode, ProblemDetails } from '@parley/contracts';

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

export type RequestOptions = {
  method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** The tab's organisation; person and public routes go without. */
  orgId?: OrgId | undefined;
  query?: Record<string, string | number | undefined>;
  body?: unknown;
  signal?: AbortSignal | undefined;
  /** Repeats after a failure that passes; only calls whose repetition is harmless get any. */
  retries?: number;
};

const retryDelayMs = 400;

export function isProblem(error: unknown, code?: ProblemCode): error is ProblemError {
  return error instanceof ProblemError && (code === undefined || error.code === code);
}

/** Calls the own origin and returns the parsed body; throws `ProblemError` or `NetworkError`. */
export async function request<Result>(path: `/api/${string}`, options: RequestOptions = {}): Promise<Result> {
  const method = options.method ?? 'GET';
  let retries = options.retries ?? (method === 'GET' ? 2 : 0);
  for (;;) {
    try {
      return await once<Result>(path, method, options);
    } catch (error) {
      if (!isPassing(error) || retries <= 0 || options.signal?.aborted) throw error;
      retries -= 1;
      await new Promise((resolve) => setTimeout(resolve, retryDelayMs));
    }
  }
}

/** A lost connection, or a service that is just starting: the next try may find it. */
export const isPassing = (error: unknown): boolean =>
  error instanceof NetworkError ||
  isProblem(error, 'bff.upstream-unavailable') ||
  isProblem(error, 'platform.unavailable');

async function once<Result>(path: string, method: string, options: RequestOptions): Promise<Result> {
  let response: Response;
  try {
    response = await fetch(urlOf(path, options.query), {
      method,
      headers: headersOf(method, options),
      body: options.body === undefined ? null : JSON.stringify(options.body),
      signal: options.signal ?? null,
      credentials: 'same-origin',
    });
  } catch (error) {
    if (options.signal?.aborted) throw error;
    throw new NetworkError({ cause: error });
  }
  return readAnswer<Result>(response);
}

export function headersOf(method: string, options: Pick<RequestOptions, 'orgId' | 'body'>): Record<string, string> {
  const headers: Record<string, string> = { accept: 'application/json' };
  if (options.body !== undefined) headers['content-type'] = 'application/json';
  if (method !== 'GET') headers['parley-csrf'] = '1';
  if (options.orgId) headers['parley-org'] = options.orgId;
  return headers;
}

export function urlOf(path: string, query: RequestOptions['query'] = {}): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query))
    if (value !== undefined && value !== '') search.set(name, String(value));
  const text = search.toString();
  return text === '' ? path : `${path}${path.includes('?') ? '&' : '?'}${text}`;
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
  if (status === 401) return 'platform.unauthenticated';
  if (status === 403) return 'platform.forbidden';
  if (status === 404) return 'platform.not-found';
  if (status === 413) return 'platform.body-too-large';
  if (status === 429) return 'platform.rate-limited';
  if (status === 504) return 'bff.upstream-timeout';
  if (status === 502 || status === 503) return 'bff.upstream-unavailable';
  return 'platform.internal';
}

/** Fills `:name` parameters of a contract path. */
export function pathOf(template: `/api/${string}`, params: Record<string, string>): `/api/${string}` {
  return template.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? '')) as `/api/${string}`;
}
