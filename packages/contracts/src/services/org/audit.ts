import { defineEvent, defineRoute, orgId, pageOf, pageQuery, timestamp, userId } from '@parley/protocol';
import { z } from 'zod';
import { auditActs, type AuditAct } from '../../events/audit-acts.ts';
import { auditChange, auditNoun } from '../../events/audit.ts';
import { auditEntryId } from '../../ids.ts';

/** Names the acts of the audit log, for its filter and for stored entries. */
export const auditAct = z.enum(Object.keys(auditActs) as [AuditAct, ...AuditAct[]]);

/**
 * An entry of the audit log: a sensitive act, with who did what to whom and the changes. Entries are never changed or
 * deleted.
 */
export const auditEntry = z.strictObject({
  id: auditEntryId,
  at: timestamp,
  actor: z.strictObject({ userId, name: z.string(), isPlatformAdmin: z.boolean() }),
  act: auditAct,
  /** The target with its name at the time of the act; the name is null if it is unknown or the target has none. */
  target: z.strictObject({ of: auditNoun, id: z.string(), name: z.string().nullable() }),
  changes: z.array(auditChange),
  reason: z.string().nullable(),
  /**
   * Number of acts in this entry. Refused requests of a person, route and minute share an entry, as do documents of a
   * person, act and connection within ten minutes.
   */
  count: z.number().int(),
});
export type AuditEntry = z.infer<typeof auditEntry>;

/** Limits the length of a target's id in the filter. */
const longestTarget = 100;

/**
 * Lists entries, newest first. `text` searches words in the names of the actor and the target; the last word can be a
 * prefix. `from` is inclusive, `until` exclusive. `target` and `text` exclude each other. Readers without
 * `member:read_pii` get no personal acts; filtering by a personal act gives them an empty list.
 */
export const listAudit = defineRoute({
  service: 'org',
  scope: 'organisation',
  permission: 'audit:read',
  cost: 'report',
  route: 'GET /api/org/audit',
  query: pageQuery
    .extend({
      actor: userId.optional(),
      act: auditAct.optional(),
      target: z.string().min(1).max(longestTarget).optional(),
      text: z.string().trim().min(1).max(100).optional(),
      from: timestamp.optional(),
      until: timestamp.optional(),
    })
    .refine(({ target, text }) => target === undefined || text === undefined, 'either target or text'),
  response: pageOf(auditEntry),
});

/** Limits the refused requests in one call of `noteDenials`. */
export const mostDenials = 500;

/**
 * Records requests that were refused for lack of a permission (403): one item per person, route and minute, counted by
 * the process that refused them. Idempotent by id.
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
          /** The route as in the contract: `GET /api/org/audit`. */
          route: z.string().max(200),
          /** When the first of this item's requests was refused; all are of the same minute. */
          at: timestamp,
          count: z.number().int().min(1),
        }),
      )
      .min(1)
      .max(mostDenials),
  }),
});

/** A person was refused for lack of a permission in their organisation. Published once per person, route and minute. */
export const accessDenied = defineEvent('access.denied.v1', 'org', {
  data: z.object({
    orgId,
    denialId: auditEntryId,
    userId,
    name: z.string(),
    route: z.string(),
    at: timestamp,
    count: z.number().int(),
  }),
  key: 'orgId',
  identity: ['denialId'],
  live: null,
  audit: ({ denialId, userId: by, name: byName, route, at, count }) => ({
    act: 'access.denied',
    by,
    target: { of: 'route', id: route.slice(0, longestTarget), name: route },
    entry: { id: denialId, at, count, byName },
  }),
});

export const auditRoutes = { listAudit, noteDenials };
