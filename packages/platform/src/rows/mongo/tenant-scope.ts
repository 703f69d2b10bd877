import type { Principal } from '@parley/contracts';
import type { EventEnvelope, OrgId, RouteScope, UserId } from '@parley/protocol';
import { isVerified } from '../../base/crypto/verified-principals.ts';

declare const made: unique symbol;
type Made = { readonly [made]: true };

/**
 * Says whose rows a query can access. Scopes are created only here: from a principal with a verified token, from an
 * event in the consumer runtime, or for a named job. Anything that only looks like a scope is refused when it is used.
 */
export type OrganisationScope = { readonly orgId: OrgId } & Made;
export type PersonScope = { readonly userId: UserId } & Made;
/** Gives access to all tenants. Narrow it first for work on one tenant. */
export type PlatformScope = {
  /** The name of the job, or of the caller. */
  readonly platform: string;
  in(orgId: OrgId): OrganisationScope;
  of(userId: UserId): PersonScope;
} & Made;
export type TenantScope = OrganisationScope | PersonScope | PlatformScope;

const scopes = new WeakSet<object>();

function make<Scope extends TenantScope>(scope: Omit<Scope, keyof Made>): Scope {
  scopes.add(scope);
  return Object.freeze(scope) as Scope;
}

/** Throws unless this module created the scope. */
export function assertMade(scope: TenantScope): void {
  if (!scopes.has(scope))
    throw new Error('This is no tenant scope: they come from the route, the event, or `jobScope`.');
}

/** Returns the scope of a named job that must see all tenants. The reason is written in the code. */
export function jobScope(reason: string): PlatformScope {
  return make<PlatformScope>({
    platform: reason,
    in: (orgId) => make<OrganisationScope>({ orgId }),
    of: (userId) => make<PersonScope>({ userId }),
  });
}

/**
 * Returns the scope of rows that a verified caller can access on a route of this scope. Only the contract gate calls
 * it.
 */
export function scopeOfCaller(routeScope: RouteScope, principal: Principal): TenantScope {
  if (!isVerified(principal)) throw new Error('A tenant scope needs a principal whose token was verified.');
  if (principal.kind === 'service') return jobScope(`a call of ${principal.service}`);
  if (routeScope === 'platform' && principal.platformRole === 'admin') return jobScope('platform admin');
  if (routeScope === 'organisation' && principal.organisation)
    return make<OrganisationScope>({ orgId: principal.organisation.orgId });
  if (routeScope === 'person') return make<PersonScope>({ userId: principal.userId });
  throw new Error(`The principal has no scope on a route of the scope ${routeScope}.`);
}

/** Returns the scope of an event's organisation; null if it belongs to none. Only the consumer runtime calls it. */
export function scopeOfEvent({ tenantid }: EventEnvelope): OrganisationScope | null {
  return tenantid && make<OrganisationScope>({ orgId: tenantid });
}
