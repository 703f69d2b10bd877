import { z } from 'zod';
import { groupId, orgId, userId } from './ids.ts';
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
export type PersonPrincipal = z.infer<typeof personPrincipal>;

/** A service acting for itself, for instance when it polls revocations. */
export const servicePrincipal = z.strictObject({ kind: z.literal('service'), service: z.enum(deployables) });
export type ServicePrincipal = z.infer<typeof servicePrincipal>;

export const principal = z.discriminatedUnion('kind', [personPrincipal, servicePrincipal]);
export type Principal = z.infer<typeof principal>;
