import { applyDecorators, createParamDecorator, HttpCode, RequestMapping, RequestMethod, SetMetadata, type ExecutionContext } from '@nestjs/common';
import type { BodyOf, ParamsOf, PersonPrincipal, Principal, QueryOf, ResponseOf, RouteContract } from '@parley/contracts';
import type { Request } from 'express';
import type { z } from 'zod';
import type { OrganisationScope, PersonScope } from '../mongo/index.ts';

export type AnyRoute = RouteContract<z.ZodType, z.ZodType, z.ZodType, z.ZodType>;
export const routeMetadata = 'parley:route';

/** What a checked request carries: set by the contract guard, read by `@Input()`. */
export type CheckedRequest = Request & { parley?: { principal: Principal | null; input: unknown } };

type Inputs<Route extends AnyRoute> = { readonly params: ParamsOf<Route>; readonly query: QueryOf<Route>; readonly body: BodyOf<Route>; readonly request: Request };

/** Of an organisation route: the principal is a member and has the route's permission. */
export type OrganisationInput<Route extends AnyRoute> = Inputs<Route> & { readonly scope: OrganisationScope; readonly principal: PersonPrincipal & { organisation: NonNullable<PersonPrincipal['organisation']> } };
export type PersonInput<Route extends AnyRoute> = Inputs<Route> & { readonly scope: PersonScope; readonly principal: PersonPrincipal };
export type PublicInput<Route extends AnyRoute> = Inputs<Route>;
export type { ResponseOf };

const methods = { GET: RequestMethod.GET, POST: RequestMethod.POST, PUT: RequestMethod.PUT, PATCH: RequestMethod.PATCH, DELETE: RequestMethod.DELETE } as const;

/** Binds a controller method to its contract: method, path, status, checks of principal, permission and input. */
export function Route(contract: AnyRoute): MethodDecorator {
  return applyDecorators(
    SetMetadata(routeMetadata, contract),
    RequestMapping({ path: contract.path, method: methods[contract.method] }),
    HttpCode(contract.status ?? 200),
  );
}

/** The checked input of the route: `PublicInput`, `PersonInput` or `OrganisationInput` of its contract, by scope. */
export const Input = createParamDecorator((_unused: unknown, context: ExecutionContext): unknown => {
  return context.switchToHttp().getRequest<CheckedRequest>().parley?.input;
});
