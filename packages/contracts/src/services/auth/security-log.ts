import { defineRoute, pageOf, pageQuery, timestamp, userId } from '@parley/protocol';
import { z } from 'zod';
import { securityEntryId } from '../../ids.ts';

/** Lists the kinds of entries in the security log. Readers ignore unknown kinds. */
export const securityKind = z.enum(['signed-in', 'signed-out', 'sign-in-failed', 'password-confirmed']);
export type SecurityKind = z.infer<typeof securityKind>;

/**
 * An entry of the security log: a sign-in, a sign-out, a password entered again for a sensitive route, or the wrong
 * passwords of one account in one hour (UTC).
 */
export const securityEntry = z.strictObject({
  id: securityEntryId,
  kind: securityKind,
  /** When it happened; for failures, when the first one of the hour happened. */
  at: timestamp,
  /** When the last of the counted failures happened; otherwise the same as `at`. */
  lastAt: timestamp,
  /** Failures in this hour; otherwise 1. */
  count: z.number().int().min(1),
  /** The person, with current name and email address. Null for an email address without an account. */
  person: z.strictObject({ userId, name: z.string(), email: z.string() }).nullable(),
  /**
   * Tells email addresses without an account apart, without revealing them (keyed hash). Null for a person, and after 200
   * failures of unknown addresses in one hour: further ones share one entry.
   */
  unknownAddress: z.string().nullable(),
  /** The network (/24, /64 of IPv6): of the session's sign-in, or of the last failure; null where it is unknown. */
  network: z.string().nullable(),
});
export type SecurityEntry = z.infer<typeof securityEntry>;

/** Lists the last 90 days, newest first by `at`; `kind` filters. Holds no passwords and no typed email addresses. */
export const listSecurityLog = defineRoute({
  service: 'auth',
  route: 'GET /api/auth/security-log',
  scope: 'platform',
  cost: 'report',
  query: pageQuery.extend({ kind: securityKind.optional() }),
  response: pageOf(securityEntry),
});

export const securityLogRoutes = { listSecurityLog };
