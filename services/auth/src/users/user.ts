import type { Locale, Me, PictureId, PlatformRole } from '@parley/contracts';
import type { OrgId, UserId } from '@parley/protocol';

export type User = {
  readonly id: UserId;
  readonly email: string;
  readonly name: string;
  readonly picture: PictureId | null;
  /** A token that was mailed to the address has come back. */
  readonly isProven: boolean;
  readonly locale: Locale;
  /** An IANA name; null: that of the browser. */
  readonly timeZone: string | null;
  readonly platformRole: PlatformRole | null;
  readonly version: number;
};
/** How an account came about, which decides whose flow the organisations use that the person creates (ADR 0031). */
export type Origin = {
  /** Null without an invitation; undefined where that was not recorded, by an earlier version of auth or org. */
  readonly invitedBy?: OrgId | null | undefined;
  readonly sameNetworkAs: { readonly userId: UserId; readonly until: Date } | null;
};
type Registration = 'closed' | 'invitation' | 'open';

/** Creating organisations is for platform admins, and for everybody where registration is open. */
export function mayCreateOrganisations(user: User, registration: Registration): boolean {
  return user.platformRole === 'admin' || registration === 'open';
}

/** The person as shown to that person. */
export function toMe(user: User, context: { registration: Registration; defaultOrgId: OrgId | null }): Me {
  return {
    ...user,
    mayCreateOrganisations: mayCreateOrganisations(user, context.registration),
    defaultOrgId: context.defaultOrgId,
  };
}
