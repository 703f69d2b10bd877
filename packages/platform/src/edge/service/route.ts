import {
  applyDecorators,
  createParamDecorator,
  HttpCode,
  RequestMapping,
  RequestMethod,
  SetMetadata,
  type ExecutionContext,
} from '@nestjs/common';
import type { PersonPrincipal, Principal, ServicePrincipal } from '@parley/contracts';
import type { BodyOf, ParamsOf, QueryOf, RouteContract, RouteSpec } from '@parley/protocol';
import type { Request } from 'express';
import type { OrganisationScope, PersonScope, PlatformScope } from '../../rows/mongo/index.ts';

export const routeMetadata = 'parley:route';

/** A checked request: the contract guard sets it, and `@Input()` reads it. */
export type CheckedRequest = Request & { parley?: { principal: Principal | null; input: unknown } };

/** A member of the tab's organisation. */
export type Member = PersonPrincipal & { readonly organisation: NonNullable<PersonPrincipal['organisation']> };

/** The caller by the route's scope, as the contract guard has checked it. */
type Caller = {
  readonly public: unknown;
  readonly person: { readonly scope: PersonScope; readonly principal: PersonPrincipal };
  /** A member with the route's permission. */
  readonly organisation: { readonly scope: OrganisationScope; readonly principal: Member };
  readonly platform: { readonly scope: PlatformScope; readonly principal: PersonPrincipal };
  readonly internal: { readonly scope: PlatformScope; readonly principal: ServicePrincipal };
};

/** The parsed input of a route: params, query, body, and the caller by the route's scope. */
export type InputOf<Route extends RouteSpec> = {
  readonly params: ParamsOf<Route>;
  readonly query: QueryOf<Route>;
  readonly body: BodyOf<Route>;
  readonly request: Request;
} & Caller[Route['scope']] &
  (Route['session'] extends 'starts' ? { readonly startSession: StartSession } : unknown);

/** Gives the BFF the id of the session that begins with this response; the browser gets it as a cookie. */
export type StartSession = (sessionId: string) => void;

const methods = {
  GET: RequestMethod.GET,
  POST: RequestMethod.POST,
  PUT: RequestMethod.PUT,
  PATCH: RequestMethod.PATCH,
  DELETE: RequestMethod.DELETE,
} as const;

/** Binds a controller method to its contract: method, path, status, and checks of principal, permission and input. */
export function Route(contract: RouteContract): MethodDecorator {
  return applyDecorators(
    SetMetadata(routeMetadata, contract),
    RequestMapping({ path: contract.path, method: methods[contract.method] }),
    HttpCode(contract.status ?? 200),
  );
}

/** Injects the parsed input of the route: `InputOf<typeof contract>`. */
export const Input = createParamDecorator((_unused: unknown, context: ExecutionContext): unknown => {
  return context.switchToHttp().getRequest<CheckedRequest>().parley?.input;
});
