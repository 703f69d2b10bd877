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
