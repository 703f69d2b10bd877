import { z } from 'zod';
import { auditEntryId, userId } from '../ids.ts';
import { defineRoute } from '../http/define-route.ts';
import { pageOf, pageQuery, timestamp } from '../http/paging.ts';

/** What is written down. Names never change; new ones are added. */
export const auditAct = z.enum([
  'organisation.created',
  'organisation.renamed',
  'member.invited',
  'invitation.link-made',
  'invitation.link-replaced',
  'invitation.resent',
  'invitation.revoked',
  'member.joined',
  'member.role-changed',
  'member.suspended',
  'member.restored',
  'member.groups-changed',
  'member.removed',
  'member.left',
  'ownership.transferred',
  'role.created',
  'role.updated',
  'role.deleted',
  'group.created',
  'group.renamed',
  'group.deleted',
]);
export type AuditAct = z.infer<typeof auditAct>;

const state = z.record(z.string(), z.unknown()).nullable();

/** One sensitive act: who did what to whom, how it was before and is after. Never changed, never deleted. */
export const auditEntry = z.strictObject({
  id: auditEntryId,
  at: timestamp,
  actor: z.strictObject({ userId, name: z.string() }),
  act: auditAct,
  /** What it was done to, under the name that it had then. */
  target: z.strictObject({ id: z.string(), name: z.string() }),
  before: state,
  after: state,
  reason: z.string().nullable(),
});
export type AuditEntry = z.infer<typeof auditEntry>;

/** Newest first. At most one of `actor`, `act` and `target`. */
export const listAudit = defineRoute({
  service: 'org',
  scope: 'organisation',
  permission: 'audit:read',
  route: 'GET /api/org/audit',
  query: pageQuery
    .extend({ actor: userId.optional(), act: auditAct.optional(), target: z.string().min(1).max(100).optional() })
    .refine(
      ({ actor, act, target }) => [actor, act, target].filter((one) => one !== undefined).length < 2,
      'at most one of actor, act and target',
    ),
  response: pageOf(auditEntry),
});

export const auditRoutes = { listAudit };
