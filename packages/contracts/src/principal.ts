import { orgId, userId } from '@parley/protocol';
import { z } from 'zod';
import { groupId } from './ids.ts';
import { knownPermissions, platformRole, roleKey } from './roles.ts';

/** Lists the deployables that sign and accept internal tokens. */
export const deployables = ['bff', 'auth', 'org', 'chat', 'billing', 'monitoring'] as const;
export type Deployable = (typeof deployables)[number];

/**
 * The person who acts, in a token that the BFF signs (EdDSA, 60 s, one audience). `organisation` is that of the tab,
 * with the person's permissions there; null if a request to a route of scope `person` or `platform` names none.
 */
export const personPrincipal = z.strictObject({
  kind: z.literal('person'),
  userId,
  name: z.string(),
  locale: z.string(),
  /** The hash of the session id, or the id of the API key. Used for revocation only. */
  sessionKey: z.string(),
  /**
   * When the person signed in or last entered the password in this session. Missing for an API key, and in tokens of an
   * earlier version.
   */
  confirmedAt: z.iso.datetime().optional(),
  platformRole: platformRole.nullable(),
  mayCreateOrganisations: z.boolean(),
  organisation: z
    .strictObject({
      orgId,
      permissions: knownPermissions,
      rightsVersion: z.number().int(),
      /** `name`, `role` and `groupIds` are missing in tokens of an earlier version. */
      name: z.string().optional(),
      role: roleKey.optional(),
      groupIds: z.array(groupId).readonly().optional(),
    })
    .nullable(),
});
/** Milliseconds for which a session opens sensitive routes after the password was entered. */
export const confirmedMs = 10 * 60_000;

/** Returns until when the session opens sensitive routes; null if it doesn't. */
export function confirmedUntil(confirmedAt: string | undefined, now: Date): Date | null {
  const until = new Date(Date.parse(confirmedAt ?? '1970-01-01T00:00:00.000Z') + confirmedMs);
  return until > now ? until : null;
}
export type PersonPrincipal = z.infer<typeof personPrincipal>;

/** A service that acts for itself, for example to poll revocations. */
export const servicePrincipal = z.strictObject({ kind: z.literal('service'), service: z.enum(deployables) });
export type ServicePrincipal = z.infer<typeof servicePrincipal>;

export const principal = z.discriminatedUnion('kind', [personPrincipal, servicePrincipal]);
export type Principal = z.infer<typeof principal>;
