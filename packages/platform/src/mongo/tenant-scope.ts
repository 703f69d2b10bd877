import type { OrgId, UserId } from '@parley/contracts';

declare const verified: unique symbol;
type Verified = { readonly [verified]: true };

/**
 * Whose data a repository method may touch: its first argument, always. Only `tenantScopeOf…` functions make one, from
 * a verified principal, an event or a named job, so a query without a tenant does not compile.
 */
export type OrganisationScope = { readonly orgId: OrgId } & Verified;
export type PersonScope = { readonly userId: UserId } & Verified;
export type PlatformScope = { readonly platform: string } & Verified;
export type TenantScope = OrganisationScope | PersonScope | PlatformScope;

/** Of a checked principal's organisation, or of an event's `tenantid`. */
export const organisationScope = (orgId: OrgId): OrganisationScope => ({ orgId }) as OrganisationScope;
/** Of a checked principal's own things. */
export const personScope = (userId: UserId): PersonScope => ({ userId }) as PersonScope;
/** For a named job that must see all tenants; the reason stands in the code and in the log. */
export const platformScope = (reason: string): PlatformScope => ({ platform: reason }) as PlatformScope;
