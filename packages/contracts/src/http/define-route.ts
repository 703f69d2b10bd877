import type { z } from 'zod';
import type { Permission } from '../permissions.ts';
import type { Deployable } from '../principal.ts';

export type HttpMethod = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/**
 * Whose request it is. `public`: nobody signed in. `person`: signed in, no organisation needed. `organisation`: the tab's
 * organisation decides and `permission` is checked. `platform`: platform admins. `internal`: services only, never proxied.
 */
export type RouteScope = 'public' | 'person' | 'organisation' | 'platform' | 'internal';

/** One HTTP route: the proxy table, the controllers, the browser's client types and the tenant matrix are made from it. */
export type RouteContract<
  Params extends z.ZodType = z.ZodType,
  Query extends z.ZodType = z.ZodType,
  Body extends z.ZodType = z.ZodType,
  Response extends z.ZodType = z.ZodType,
> = {
  readonly service: Exclude<Deployable, 'bff'>;
  readonly method: HttpMethod;
  /** Path with `:name` parameters; public ones start with `/api/<service>/`, internal ones with `/internal/`. */
  readonly path: `/api/${string}` | `/internal/${string}`;
  readonly scope: RouteScope;
  /** Needed inside the organisation; mandatory for scope `organisation`. */
  readonly permission?: Permission;
  readonly params?: Params;
  readonly query?: Query;
  readonly body?: Body;
  /** Raw bodies are streamed to the handler and limited to this many bytes; JSON bodies are limited to 1 MB. */
  readonly rawBodyLimit?: number;
  /** 200 unless stated; 204 has no body. */
  readonly status?: 200 | 201 | 202 | 204;
  readonly response?: Response;
  /** The BFF turns the service's session header into the cookie, or removes the cookie. */
  readonly session?: 'starts' | 'ends';
  /** Tries per minute and address; answered with 429 and Retry-After beyond it. */
  readonly rateLimitPerMinute?: number;
};

/** Declares a route; keeps the schema types. */
export function defineRoute<
  Params extends z.ZodType,
  Query extends z.ZodType,
  Body extends z.ZodType,
  Response extends z.ZodType,
>(contract: RouteContract<Params, Query, Body, Response>): RouteContract<Params, Query, Body, Response> {
  return contract;
}

export type ParamsOf<R> = R extends RouteContract<infer P, z.ZodType, z.ZodType, z.ZodType> ? z.output<P> : never;
export type QueryOf<R> = R extends RouteContract<z.ZodType, infer Q, z.ZodType, z.ZodType> ? z.output<Q> : never;
export type BodyOf<R> = R extends RouteContract<z.ZodType, z.ZodType, infer B, z.ZodType> ? z.output<B> : never;
export type ResponseOf<R> = R extends RouteContract<z.ZodType, z.ZodType, z.ZodType, infer A> ? z.output<A> : never;

/** A bare organisation header; the browser sends it with each request of a tab. */
export const organisationHeader = 'parley-org';
/** The custom header that every mutating browser request carries (CSRF). */
export const csrfHeader = 'parley-csrf';
/** The internal token between deployables. */
export const principalHeader = 'parley-principal';
/** A service tells the BFF the new session id with it; it never reaches the browser. */
export const sessionHeader = 'parley-session';

/** Wire limits, in bytes or characters. */
export const limits = { jsonBytes: 1_000_000, fileBytes: 25_000_000, messageCharacters: 32_000, pageSize: 100 } as const;
