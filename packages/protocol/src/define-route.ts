import type { z } from 'zod';
import type { OrgId } from './ids.ts';
import type { Word } from './vocabulary.ts';

export type HttpMethod = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/**
 * Whose request it is. `public`: nobody signed in. `person`: signed in, no organisation needed. `organisation`: the
 * tab's organisation decides and `permission` is checked. `platform`: platform admins. `internal`: services only, never
 * proxied.
 */
export type RouteScope = 'public' | 'person' | 'organisation' | 'platform' | 'internal';

export type RouteKey =
  | `${HttpMethod} /api/${string}`
  | `${HttpMethod} /v1/${string}`
  | `${HttpMethod} /internal/${string}`;

/**
 * Limits what can run at the same time, over all replicas; taken before a body is read. `address` is for visitors.
 */
export type AtOnce = {
  readonly person?: number;
  readonly organisation?: number;
  readonly key?: number;
  readonly address?: number;
  /** Limits the bodies that are on their way, in each process of the BFF. */
  readonly bytes?: number;
  /** One too many of a person waits for 10 s before it is refused. */
  readonly waits?: true;
};
/** Limits of one route in place of those of its cost class, and why it has its own. */
export type OwnAtOnce = AtOnce & { readonly why: string };

type RouteParts = {
  readonly service: Word<'service'>;
  /**
   * Method and path with `:name` parameters: `/api/<service>/…`, `/v1/…` for what programs outside rely on, or
   * `/internal/<service>/…` for services only.
   */
  readonly route: RouteKey;
  readonly params?: z.ZodType;
  readonly query?: z.ZodType;
  readonly body?: z.ZodType;
  /** Raw bodies are streamed to the handler and limited to this many bytes. */
  readonly rawBodyLimit?: number;
  /** Maximum bytes of JSON; by default `wireLimits.jsonBytes`, or `largeJsonBytes` if the scope is `internal`. */
  readonly jsonBodyLimit?: number;
  /** Limits the concurrent requests of this route; without it those of all routes of its cost class count together. */
  readonly atOnce?: OwnAtOnce;
  /** 200 unless stated; 204 has no body. */
  readonly status?: 200 | 201 | 202 | 204;
  readonly response?: z.ZodType;
  /**
   * The answer is bytes of this media type instead of JSON. What its address names never changes, so browsers keep it for
   * a year.
   */
  readonly bytes?: string;
  /**
   * The answer is a file of an organisation instead of JSON: always an attachment (`application/octet-stream`, `nosniff`,
   * a policy that allows nothing), so that no browser shows it in the place of Parley, and kept by nobody.
   */
  readonly download?: true;
  /**
   * The answer is text of this media type that goes on until either side ends it. Where there is a `response` too, the
   * caller says in the body which of the two it gets.
   */
  readonly stream?: string;
  /** `only`: no API key opens it, though keys can have its permission. */
  readonly people?: 'only';
  /**
   * Only within ten minutes after the person has signed in or entered their password (`confirm`), in this very session;
   * 403 `auth.sign-in-again` otherwise.
   */
  readonly isSensitive?: true;
  /**
   * A link of a page opens it, which sends no headers: `org` in the query names the organisation. The browser then writes
   * what it gets to disk, however large it is.
   */
  readonly isLink?: true;
  /** Adds an error in the format of this client library (`openai`) to each problem that the route returns. */
  readonly errors?: Word<'errorFormat'>;
  /** The BFF tells the service the network that it comes from (`networkHeader`). */
  readonly tellsNetwork?: true;
  /** So long the BFF waits for the next byte of the answer; `patience.usual` unless stated. */
  readonly patienceMs?: number;
  /** The BFF turns the service's session header into the cookie, or removes the cookie. */
  readonly session?: 'starts' | 'ends';
  /** The BFF answers it itself and no service does: what it is about is the BFF. */
  readonly answeredBy?: 'bff';
};
/**
 * Inside an organisation a route names the right that it needs; no other scope has rights. Whatever can be called from
 * outside names what it costs: beyond the rates of that class it is answered with 429 and Retry-After.
 */
type RouteOwner =
  | { readonly scope: 'organisation'; readonly permission: Word<'permission'>; readonly cost: Word<'personCost'> }
  | { readonly scope: 'person' | 'platform'; readonly permission?: undefined; readonly cost: Word<'personCost'> }
  | { readonly scope: 'public'; readonly permission?: undefined; readonly cost: Word<'visitorCost'> }
  | { readonly scope: 'internal'; readonly permission?: undefined; readonly cost?: undefined };
export type RouteSpec = RouteParts & RouteOwner;

/** How many bytes of JSON the route takes. */
export const jsonBodyLimitOf = ({ scope, jsonBodyLimit }: RouteContract): number =>
  jsonBodyLimit ?? (scope === 'internal' ? wireLimits.largeJsonBytes : wireLimits.jsonBytes);

type MethodOf<Route> = Route extends `${infer Method extends HttpMethod} ${string}` ? Method : never;
type PathOf<Route> = Route extends `${HttpMethod} ${infer Path}` ? Path : never;
type Unknown<Spec> = Exclude<keyof Spec, keyof RouteParts | keyof RouteOwner>;

/** One HTTP route: proxy table, handlers, clients and the tenant matrix are made from it. */
export type RouteContract = RouteSpec & { readonly method: HttpMethod; readonly path: string };

/** Declares a route; its types stay literal. An unknown property, or an organisation's route without a right, does not compile. */
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

/** A file as a handler gives it: under which name it is saved, and its bytes as they are read. */
export type Download = { readonly name: string; readonly content: AsyncIterable<Uint8Array> };

/** What a handler gets and gives: checked values; undefined where the route has none. */
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

/** Of whichever kinds of the value have it. */
type ValueAt<Schema extends z.ZodType, Name> =
  z.output<Schema> extends infer Kind
    ? Kind extends unknown
      ? Name extends keyof Kind
        ? Kind[Name]
        : never
      : never
    : never;
type Optional<Input, Name extends keyof Input> = undefined extends Input[Name] ? Name : never;
/** What a caller gives: with their brands, and without what has a default. */
type Given<Schema extends z.ZodType, Input = z.input<Schema>> = OneObject<
  { readonly [Name in keyof Input as Exclude<Name, Optional<Input, Name>>]: ValueAt<Schema, Name> } & {
    readonly [Name in keyof Input as Optional<Input, Name>]?: ValueAt<Schema, Name> | undefined;
  }
>;
/** An intersection of which one part is empty would take anything. */
type OneObject<Parts> = { readonly [Name in keyof Parts]: Parts[Name] };
type CallPart<Route, Name extends Exclude<Part, 'response'>> =
  SchemaOf<Route, Name> extends infer Schema extends z.ZodType
    ? object extends Given<Schema>
      ? { readonly [Key in Name]?: Given<Schema> | undefined }
      : { readonly [Key in Name]: Given<Schema> }
    : { readonly [Key in Name]?: undefined };

/** Params, query and body of one call; each is mandatory where the route wants something of it. */
export type CallOf<Route> = CallPart<Route, 'params'> & CallPart<Route, 'query'> & CallPart<Route, 'body'>;
/** A tab's call names its organisation exactly where the route belongs to one. */
export type TabCallOf<Route> = CallOf<Route> &
  (Route extends { readonly scope: 'organisation' } ? { readonly orgId: OrgId } : { readonly orgId?: undefined });

/** A bare organisation header; the browser sends it with each request of a tab. */
export const organisationHeader = 'parley-org';
/** The custom header that every mutating browser request carries (CSRF). */
export const csrfHeader = 'parley-csrf';
/** The internal token between deployables. */
export const principalHeader = 'parley-principal';
/** With a 503 of a service: the token of the request had expired when it came to be read, and nothing was done. */
export const lateTokenHeader = 'parley-late-token';
/** A service tells the BFF the new session id with it; it never reaches the browser. */
export const sessionHeader = 'parley-session';
/** The network that a visitor's request, or a password, comes from, as the BFF saw it: what is tried there counts together. */
export const networkHeader = 'parley-network';
/** What the browser that signs in calls itself: its `user-agent`, cut to 300 characters. */
export const browserHeader = 'parley-browser';

/** How long the BFF waits for an answer, in milliseconds. */
export const patience = {
  /** People who wait longer for what only reads or writes a little are better told to try again. */
  usual: 10_000,
  /** For what takes a file, asks another server, or is silent between two events. */
  long: 60_000,
} as const;

/** In bytes, or as a count. */
export const wireLimits = { jsonBytes: 256_000, largeJsonBytes: 1_000_000, pageSize: 100 } as const;
