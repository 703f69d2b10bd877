import { orgId, userId } from '@parley/protocol';
import { z } from 'zod';
import { groupId } from './ids.ts';
import { knownPermissions, platformRole, roleKey } from './roles.ts';

/** Which deployables sign and accept internal tokens. */
export const deployables = ['bff', 'auth', 'org', 'chat', 'billing', 'monitoring'] as const;
export type Deployable = (typeof deployables)[number];

/**
 * Who acts, as the BFF vouches for it in a 60 s EdDSA token with one audience. `organisation` is the tab's, checked
 * against the membership, with what the person may do there; null on routes of scope `person` and `platform` without one.
 */
export const personPrincipal = z.strictObject({
  kind: z.literal('person'),
  userId,
  name: z.string(),
  locale: z.string(),
  /** Hash of the session id, or the id of the API key: revocation names it, nothing else can be done with it. */
  sessionKey: z.string(),
  /**
   * When they signed in or last entered their password in this session; absent for an API key, and where an earlier
   * version vouches.
   */
  confirmedAt: z.iso.datetime().optional(),
  platformRole: platformRole.nullable(),
  mayCreateOrganisations: z.boolean(),
  organisation: z
    .strictObject({
      orgId,
      permissions: knownPermissions,
      rightsVersion: z.number().int(),
      /** These three are absent where an earlier version vouches. */
      name: z.string().optional(),
      role: roleKey.optional(),
      groupIds: z.array(groupId).readonly().optional(),
    })
    .nullable(),
});
/** For so long after a sign-in or an entered password a session opens what is sensitive. */
export const confirmedMs = 10 * 60_000;

/** When the session stops to open what is sensitive; null where it doesn't open it now. */
export function confirmedUntil(confirmedAt: string | undefined, now: Date): Date | null {
  const until = new Date(Date.parse(confirmedAt ?? '1970-01-01T00:00:00.000Z') + confirmedMs);
  return until > now ? until : null;
}
export type PersonPrincipal = z.infer<typeof personPrincipal>;

/** A service acting for itself, for instance when it polls revocations. */
export const servicePrincipal = z.strictObject({ kind: z.literal('service'), service: z.enum(deployables) });
export type ServicePrincipal = z.infer<typeof servicePrincipal>;

export const principal = z.discriminatedUnion('kind', [personPrincipal, servicePrincipal]);
export type Principal = z.infer<typeof principal>;
