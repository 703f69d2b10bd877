import { defineEvent, defineRoute, orgId, pageOf, pageQuery, timestamp, userId } from '@parley/protocol';
import { z } from 'zod';
import { auditActs, type AuditAct } from '../../events/audit-acts.ts';
import { auditChange, auditNoun } from '../../events/audit.ts';
import { auditEntryId } from '../../ids.ts';

/** Acts by name, for the filter and for what is stored. */
export const auditAct = z.enum(Object.keys(auditActs) as [AuditAct, ...AuditAct[]]);

/** One sensitive act: who did what to whom, and what it changed. Never changed, never deleted. */
export const auditEntry = z.strictObject({
  id: auditEntryId,
  at: timestamp,
  actor: z.strictObject({ userId, name: z.string(), isPlatformAdmin: z.boolean() }),
  act: auditAct,
  /** What it was done to, under the name that it had then; null where nobody knows it, or it has none. */
  target: z.strictObject({ of: auditNoun, id: z.string(), name: z.string().nullable() }),
  changes: z.array(auditChange),
  reason: z.string().nullable(),
  /**
   * Counts refused requests, which are one entry per person, route and minute, and documents, which are one entry per
   * person, act and connection within ten minutes.
   */
  count: z.number().int(),
});
export type AuditEntry = z.infer<typeof auditEntry>;

/** Of a target's id, as the filter takes it. */
const longestTarget = 100;

/**
 * Lists entries, newest first. `text` searches words in the names of the actor and the target; the last word can be a
 * prefix. `from` is inclusive, `until` exclusive. `target` and `text` exclude each other. Readers without
 * `member:read_pii` get no personal acts; filtering by one of these gives them an empty list.
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

/** Somebody was refused something within their organisation for want of a permission: once per person, route and minute. */
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
