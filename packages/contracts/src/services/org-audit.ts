import { z } from 'zod';
import { auditEntryId, orgId, userId } from '../ids.ts';
import { defineRoute } from '../http/define-route.ts';
import { pageOf, pageQuery, timestamp } from '../http/paging.ts';

/** What is written down. Names never change; new ones are added. */
export const auditAct = z.enum([
  'organisation.created',
  'organisation.renamed',
  'organisation.settings-changed',
  'organisation.provisioned',
  'organisation.owner-invited',
  'organisation.suspended',
  'organisation.resumed',
  'organisation.seat-limit-changed',
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
  'member.access-ended',
  'member.removed',
  'member.left',
  'ownership.transferred',
  'role.created',
  'role.updated',
  'role.deleted',
  'group.created',
  'group.renamed',
  'group.deleted',
  'api-key.created',
  'api-key.revoked',
  'access.denied',
  'invitation.link-shown',
  'provider.added',
  'provider.changed',
  'provider.removed',
  'answer.stopped',
  'budget.created',
  'budget.changed',
  'budget.deleted',
  'webhook.created',
  'webhook.changed',
  'webhook.deleted',
  'events.replayed',
  'name.revealed',
  'chatbot.published',
  'chatbot.deleted',
  'connection.created',
  'connection.changed',
  'connection.deleted',
  'search.tested-as',
  'feedback.state-changed',
  'feedback.answered',
  'feedback.messages-read',
  'curated-answer.created',
  'curated-answer.changed',
  'curated-answer.deleted',
  'chatbot.gate-changed',
  'order.placed',
  'order.confirmed',
  'order.refused',
  'order.withdrawn',
  'invoice.issued',
  'payment.recorded',
  'member.signed-in',
]);
export type AuditAct = z.infer<typeof auditAct>;

/** Done to an organisation by whoever runs the installation, who need not be of it. */
export const platformActs: ReadonlySet<AuditAct> = new Set<AuditAct>([
  'organisation.provisioned',
  'organisation.owner-invited',
  'organisation.suspended',
  'organisation.resumed',
  'organisation.seat-limit-changed',
  'invitation.link-shown',
  'events.replayed',
  'order.confirmed',
  'order.refused',
  'invoice.issued',
  'payment.recorded',
]);

const state = z.record(z.string(), z.unknown()).nullable();

/** One sensitive act: who did what to whom, how it was before and is after. Never changed, never deleted. */
export const auditEntry = z.strictObject({
  id: auditEntryId,
  at: timestamp,
  actor: z.strictObject({ userId, name: z.string(), isPlatformAdmin: z.boolean() }),
  act: auditAct,
  /** What it was done to, under the name that it had then. */
  target: z.strictObject({ id: z.string(), name: z.string() }),
  before: state,
  after: state,
  reason: z.string().nullable(),
  /** How often: more than once only for what was refused, which is one entry per person, route and minute. */
  count: z.number().int(),
});
export type AuditEntry = z.infer<typeof auditEntry>;

/**
 * Acts that only readers with `member:read_pii` see. They know when somebody is at work; for others the entries don't
 * exist.
 */
export const personalActs: ReadonlySet<AuditAct> = new Set<AuditAct>(['member.signed-in']);

/**
 * Newest first. At most one of `actor`, `act` and `target`. Readers without `member:read_pii` get no entry of
 * `personalActs`; filtering by one of these acts gives them an empty list.
 */
export const listAudit = defineRoute({
  service: 'org',
  scope: 'organisation',
  permission: 'audit:read',
  cost: 'report',
  route: 'GET /api/org/audit',
  query: pageQuery
    .extend({ actor: userId.optional(), act: auditAct.optional(), target: z.string().min(1).max(100).optional() })
    .refine(
      ({ actor, act, target }) => [actor, act, target].filter((one) => one !== undefined).length < 2,
      'at most one of actor, act and target',
    ),
  response: pageOf(auditEntry),
});

/** So many are told by one call. */
export const mostDenials = 500;

/**
 * What people were refused within their organisation for want of a right (403), counted by who let nobody pass: one item
 * per person, route and minute. Repeating it with the same ids is harmless.
 */
export const noteDenials = defineRoute({
  service: 'org',
  scope: 'internal',
  route: 'POST /internal/org/denials',
  status: 204,
  body: z.strictObject({
    items: z
      .array(
        z.strictObject({
          id: auditEntryId,
          orgId,
          userId,
          name: z.string().max(200),
          /** As the contract names it: `GET /api/org/audit`. */
          route: z.string().max(200),
          /** The first one of the minute. */
          at: timestamp,
          count: z.number().int().min(1),
        }),
      )
      .min(1)
      .max(mostDenials),
  }),
});

export const auditRoutes = { listAudit, noteDenials };
