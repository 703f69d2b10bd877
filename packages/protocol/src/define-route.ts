import type { z } from 'zod';
import type { OrgId } from './ids.ts';
import type { Word } from './vocabulary.ts';

export type HttpMethod = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/**
 * Limits who can call the route. `public`: anyone. `person`: signed in, without an organisation. `organisation`: needs `permission`
 * in the tab's organisation. `platform`: platform admins. `internal`: services only, never proxied.
 */
export type RouteScope = 'public' | 'person' | 'organisation' | 'platform' | 'internal';

export type RouteKey =
  | `${HttpMethod} /api/${string}`
  | `${HttpMethod} /v1/${string}`
  | `${HttpMethod} /internal/${string}`;

/** Limits concurrent requests over all replicas, before a body is read. `address` is for visitors. */
export type AtOnce = {
  readonly person?: number;
  readonly organisation?: number;
  readonly key?: number;
  readonly address?: number;
  /** Limits the bytes of bodies that each BFF process is receiving. */
  readonly bytes?: number;
  /** A further request of a person waits up to 10 s before it is refused. */
  readonly waits?: true;
};
/** Limits of one route in place of those of its cost class, and the reason. */
export type OwnAtOnce = AtOnce & { readonly why: string };

type RouteParts = {
  readonly service: Word<'service'>;
  /**
   * Method and path with `:name` parameters: `/api/<service>/…`, `/v1/…` for programs, or `/internal/<service>/…` for
   * services only.
   */
  readonly route: RouteKey;
  readonly params?: z.ZodType;
  readonly query?: z.ZodType;
  readonly body?: z.ZodType;
  /** Raw bodies are streamed to the handler and limited to this many bytes. */
  readonly rawBodyLimit?: number;
  /** Maximum bytes of JSON; by default `wireLimits.jsonBytes`, or `largeJsonBytes` if the scope is `internal`. */
  readonly jsonBodyLimit?: number;
  /** Limits concurrent requests of this route. Without it, all routes of its cost class count together. */
  readonly atOnce?: OwnAtOnce;
  /** 200 unless stated; 204 has no body. */
  readonly status?: 200 | 201 | 202 | 204;
  readonly response?: z.ZodType;
  /**
   * The response is bytes of this media type rather than JSON. The content of its address never changes, so browsers
   * keep it for a year.
   */
  readonly bytes?: string;
  /**
   * The response is a file of an organisation rather than JSON: always an attachment (`application/octet-stream`,
   * `nosniff`, a policy that allows nothing), so that no browser shows it within Parley, and never cached.
   */
  readonly download?: true;
  /**
   * The response is text of this media type until either side ends it. With a `response` too, the request body chooses
   * between them.
   */
  readonly stream?: string;
  /** `only`: no API key opens it, though keys can have its permission. */
  readonly people?: 'only';
  /**
   * Needs a sign-in or an entered password (`confirm`) in this session within ten minutes; 403 `auth.sign-in-again`
   * otherwise.
   */
  readonly isSensitive?: true;
  /**
   * Opened by a link of a page, which sends no headers: `org` in the query is the organisation. The browser writes the
   * response to disk, whatever its size.
   */
  readonly isLink?: true;
  /** Adds an error in the format of this client library (`openai`) to each problem that the route returns. */
  readonly errors?: Word<'errorFormat'>;
  /** The BFF sends the service the network of the request (`networkHeader`). */
  readonly tellsNetwork?: true;
  /** The time that the BFF waits for the next byte of the response; `patience.usual` by default. */
  readonly patienceMs?: number;
  /** The BFF turns the service's session header into the cookie, or removes the cookie. */
  readonly session?: 'starts' | 'ends';
  /** The BFF answers it without a service, because it is about the BFF. */
  readonly answeredBy?: 'bff';
};
/**
 * A route within an organisation names its permission; other scopes have none. A route that can be called from outside
 * names its cost class: above its rates it gets 429 and Retry-After.
 */
type RouteOwner =
  | { readonly scope: 'organisation'; readonly permission: Word<'permission'>; readonly cost: Word<'personCost'> }
  | { readonly scope: 'person' | 'platform'; readonly permission?: undefined; readonly cost: Word<'personCost'> }
  | { readonly scope: 'public'; readonly permission?: undefined; readonly cost: Word<'visitorCost'> }
  | { readonly scope: 'internal'; readonly permission?: undefined; readonly cost?: undefined };
export type RouteSpec = RouteParts & RouteOwner;

/** Returns how many bytes of JSON the route takes. */
export const jsonBodyLimitOf = ({ scope, jsonBodyLimit }: RouteContract): number =>
  jsonBodyLimit ?? (scope === 'internal' ? wireLimits.largeJsonBytes : wireLimits.jsonBytes);

type MethodOf<Route> = Route extends `${infer Method extends HttpMethod} ${string}` ? Method : never;
type PathOf<Route> = Route extends `${HttpMethod} ${infer Path}` ? Path : never;
type Unknown<Spec> = Exclude<keyof Spec, keyof RouteParts | keyof RouteOwner>;

/** An HTTP route. The proxy table, handlers, clients and the tenant matrix are made from it. */
export type RouteContract = RouteSpec & { readonly method: HttpMethod; readonly path: string };

/**
 * Declares a route with literal types. An unknown property, or a route of an organisation without a permission, doesn't
 * compile.
 */
export function defineRoute<const Spec extends RouteSpec>(
  spec: Spec & { readonly [Name in Unknown<Spec>]: never },
): Spec & { readonly method: MethodOf<Spec['route']>; readonly path: PathOf<Spec['route']> } {
  const [method, path] = spec.route.split(' ');
  return { ...(spec as Spec), method: method as MethodOf<Spec['route']>, path: path as PathOf<Spec['route']> };
}

type Part = 'params' | 'query' | 'body' | 'response';
type SchemaOf<Route, Name extends Part> = Route extends { readonly [Key in Name]: infer Schema extends z.ZodType }
  ? Schema
  : undefined;
type Output<Schema> = Schema extends z.ZodType ? z.output<Schema> : undefined;

/** A file from a handler: its name and its bytes as they are read. */
export type Download = { readonly name: string; readonly content: AsyncIterable<Uint8Array> };

/** The parsed values that a handler gets and returns; undefined if the route has none. */
export type ParamsOf<Route> = Output<SchemaOf<Route, 'params'>>;
export type QueryOf<Route> = Output<SchemaOf<Route, 'query'>>;
export type BodyOf<Route> = Output<SchemaOf<Route, 'body'>>;
export type ResponseOf<Route> =
  SchemaOf<Route, 'response'> extends infer Schema extends z.ZodType
    ? z.output<Schema> | (Route extends { readonly stream: string } ? AsyncIterable<string> : never)
    : Route extends { readonly bytes: string }
      ? Uint8Array
      : Route extends { readonly download: true }
        ? Download
        : Route extends { readonly stream: string }
          ? AsyncIterable<string>
          : void;

/** The part of the union's members that have this name. */
type ValueAt<Schema extends z.ZodType, Name> =
  z.output<Schema> extends infer Kind
    ? Kind extends unknown
      ? Name extends keyof Kind
        ? Kind[Name]
        : never
      : never
    : never;
type Optional<Input, Name extends keyof Input> = undefined extends Input[Name] ? Name : never;
/** The values that a caller gives: with brands; those with a default are optional. */
type Given<Schema extends z.ZodType, Input = z.input<Schema>> = OneObject<
  { readonly [Name in keyof Input as Exclude<Name, Optional<Input, Name>>]: ValueAt<Schema, Name> } & {
    readonly [Name in keyof Input as Optional<Input, Name>]?: ValueAt<Schema, Name> | undefined;
  }
>;
/** An intersection with an empty part would accept anything. */
type OneObject<Parts> = { readonly [Name in keyof Parts]: Parts[Name] };
type CallPart<Route, Name extends Exclude<Part, 'response'>> =
  SchemaOf<Route, Name> extends infer Schema extends z.ZodType
    ? object extends Given<Schema>
      ? { readonly [Key in Name]?: Given<Schema> | undefined }
      : { readonly [Key in Name]: Given<Schema> }
    : { readonly [Key in Name]?: undefined };

/** Params, query and body of one call; each is required if the route needs some of it. */
export type CallOf<Route> = CallPart<Route, 'params'> & CallPart<Route, 'query'> & CallPart<Route, 'body'>;
/** A tab's call names its organisation exactly if the route belongs to one. */
export type TabCallOf<Route> = CallOf<Route> &
  (Route extends { readonly scope: 'organisation' } ? { readonly orgId: OrgId } : { readonly orgId?: undefined });

/** The header for the organisation, which the browser sends with each request of a tab. */
export const organisationHeader = 'parley-org';
/** The header that every changing request of a browser has (CSRF). */
export const csrfHeader = 'parley-csrf';
/** The internal token between deployables. */
export const principalHeader = 'parley-principal';
/** Sent with 503 of a service: the token had expired before the request was read, and nothing was done. */
export const lateTokenHeader = 'parley-late-token';
/** The header with a new session id from a service to the BFF. It never reaches the browser. */
export const sessionHeader = 'parley-session';
/**
 * The network of a visitor's request, or of a password, as the BFF sees it. Attempts from one network count together.
 */
export const networkHeader = 'parley-network';
/** The `user-agent` of the browser that signs in, cut to 300 characters. */
export const browserHeader = 'parley-browser';

/** The time that the BFF waits for a response, in ms. */
export const patience = {
  /** If small reads and writes take longer, people should be told to try again. */
  usual: 10_000,
  /** For routes that take a file, ask another server, or are silent between two events. */
  long: 60_000,
} as const;

/** In bytes or counts. */
export const wireLimits = { jsonBytes: 256_000, largeJsonBytes: 1_000_000, pageSize: 100 } as const;
