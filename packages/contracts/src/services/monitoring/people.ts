import { defineEvent, defineRoute, orgId, pageOf, pageQuery, timestamp, userId } from '@parley/protocol';
import { z } from 'zod';
import { nameRevealId } from '../../ids.ts';
import { plainName } from '../../plain-text.ts';
import { auditValues, changesBetween } from '../../events/audit.ts';
import { currency } from '../billing/rates.ts';

/** People stand apart only where at least so many were active: of fewer there are totals. */
export const fewestShown = 5;
/** So many models of one person and day are counted apart; the rest as `otherId`. */
export const mostModelsOfDay = 20;

/** The last 7 or 30 days of the organisation's time zone, today included. */
export const peopleSpan = z.enum(['week', 'month']);
export type PeopleSpan = z.infer<typeof peopleSpan>;

/** One person in one month of one organisation; nobody can tell from it who it is, nor which one they were before. */
export const pseudonymId = z.string().regex(/^[0-9a-f]{24}$/);
const month = z.string().regex(/^\d{4}-\d\d$/);
const count = z.number().int();

const used = {
  /** Attempts, as the ledger counts them: an answer that was begun again counts as two. */
  attempts: count,
  /** Of these, those of models without a price: what they cost is unknown. */
  unpricedAttempts: count,
  inputTokens: count,
  outputTokens: count,
  costMicros: count,
};

/** A name that I asked for, until when I see it. */
export const shownName = z.strictObject({ revealId: nameRevealId, name: z.string(), until: timestamp });

/** What somebody used in the days of a span that lie in this month. */
export const personUse = z.strictObject({
  id: pseudonymId,
  /** The first characters of the id, `P-7C19`; as many as it takes to be the only one. */
  pseudonym: z.string(),
  month,
  ...used,
  /** The last day on which they asked; never the time, by which others could tell who it is. */
  lastDay: z.iso.date(),
  name: shownName.nullable(),
});
export type PersonUse = z.infer<typeof personUse>;

const organisation = { service: 'monitoring', scope: 'organisation' } as const;
const read = { ...organisation, permission: 'usage:read_org' } as const;

/**
 * What people used, each under a pseudonym that is another one each month; a month with fewer than 5 active people has
 * none of them. `text` finds by the start of a pseudonym and doesn't change the totals. The most first, by cost unless
 * sorted otherwise.
 */
export const listPeople = defineRoute({
  ...read,
  route: 'GET /api/monitoring/people',
  cost: 'report',
  query: pageQuery.extend({
    span: peopleSpan.default('month'),
    sort: z.enum(['cost', 'answers', 'tokens', 'seen']).default('cost'),
    text: z.string().trim().min(1).max(100).optional(),
  }),
  response: pageOf(personUse).extend({
    /** Of everybody, those who are not shown apart included. */
    total: z.strictObject(used),
    /** The months of the span in which somebody was active, the newest first; fewer than 5 people are null. */
    months: z.array(z.strictObject({ month, people: count.nullable() })),
    /** Null before the first price. */
    currency: currency.nullable(),
    timeZone: z.string(),
    /** More was used than is added up here: the earliest days are missing. */
    isCut: z.boolean(),
  }),
});

/**
 * Returns when and with what somebody used it. 404 `monitoring.person-not-found` where nobody in the span has this
 * pseudonym, or fewer than 5 people were active.
 */
export const getPersonUse = defineRoute({
  ...organisation,
  permission: 'usage:read_person',
  cost: 'report',
  route: 'GET /api/monitoring/people/:personId',
  params: z.strictObject({ personId: pseudonymId }),
  query: z.strictObject({ span: peopleSpan.default('month') }),
  response: z.strictObject({
    person: personUse,
    /** Attempts by weekday, Monday first, and by hour of the organisation's time zone. */
    hours: z.array(z.array(count).length(24)).length(7),
    /** What each model was used for, the dearest first. */
    models: z.array(z.strictObject({ model: z.string(), ...used })),
    currency: currency.nullable(),
  }),
});

/** For how long a name is shown at most. */
export const revealHours = z.union([z.literal(1), z.literal(24), z.literal(168)]);
export type RevealHours = z.infer<typeof revealHours>;

/**
 * Shows me, and nobody else, who this is, for a reason and a time; the person is told by mail and on their own page, and
 * it stands in the audit log. Repeating it with the same id returns what was shown. 404 `monitoring.person-not-found`,
 * also of somebody who is no member any more.
 */
export const revealName = defineRoute({
  ...organisation,
  permission: 'usage:read_person',
  cost: 'write',
  route: 'POST /api/monitoring/name-reveals',
  status: 201,
  // Each is a mail to somebody.
  body: z.strictObject({ id: nameRevealId, personId: pseudonymId, reason: plainName(500), hours: revealHours }),
  response: shownName,
});

/** I do not need the name any more. Repeating it is harmless. */
export const endReveal = defineRoute({
  ...organisation,
  permission: 'usage:read_person',
  cost: 'write',
  route: 'DELETE /api/monitoring/name-reveals/:revealId',
  status: 204,
  params: z.strictObject({ revealId: nameRevealId }),
});

/** Who has seen my name in this organisation, the newest first. */
export const listMyReveals = defineRoute({
  ...organisation,
  permission: 'usage:read_own',
  cost: 'read',
  route: 'GET /api/monitoring/my-name-reveals',
  query: pageQuery,
  response: pageOf(
    z.strictObject({
      id: nameRevealId,
      by: z.string(),
      reason: z.string(),
      at: timestamp,
      /** When it ends, or ended. */
      until: timestamp,
    }),
  ),
});

/** Returns the pseudonyms of these people in a month, in the order asked, for readers who may see no names. */
export const listPseudonyms = defineRoute({
  service: 'monitoring',
  scope: 'internal',
  route: 'POST /internal/monitoring/organisations/:orgId/pseudonyms',
  params: z.strictObject({ orgId }),
  body: z.strictObject({ month, userIds: z.array(userId).max(100) }),
  response: z.strictObject({ items: z.array(z.string()) }),
});

/** Somebody was shown whose a pseudonym is. */
export const nameRevealed = defineEvent('name.revealed.v1', 'monitoring', {
  data: z.object({
    orgId,
    revealId: nameRevealId,
    /** Whose name it is. */
    userId,
    by: userId,
    /** What the organisation was called then. */
    organisation: z.string(),
    reason: z.string(),
    until: timestamp,
  }),
  key: 'userId',
  live: { room: 'person', resources: ['my-name-reveals'] },
  audit: ({ userId: id, by, reason, until }) => ({
    act: 'name.revealed',
    by,
    target: { of: 'person', id, name: null },
    changes: changesBetween(null, { expires: auditValues.time(until) }),
    reason,
  }),
});

export const peopleRoutes = { listPeople, getPersonUse, listPseudonyms };
export const nameRevealRoutes = { revealName, endReveal, listMyReveals };
