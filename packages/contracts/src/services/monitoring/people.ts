import { defineEvent, defineRoute, orgId, pageOf, pageQuery, timestamp, userId } from '@parley/protocol';
import { z } from 'zod';
import { nameRevealId } from '../../ids.ts';
import { plainName } from '../../plain-text.ts';
import { auditValues, changesBetween } from '../../events/audit.ts';
import { currency } from '../billing/rates.ts';

/** People are shown one by one only if at least this many were active; otherwise only totals are shown. */
export const fewestShown = 5;
/** Limits the models that are counted separately for one person and day; the rest counts as `otherId`. */
export const mostModelsOfDay = 20;

/** The last 7 or 30 days of the organisation's time zone, including today. */
export const peopleSpan = z.enum(['week', 'month']);
export type PeopleSpan = z.infer<typeof peopleSpan>;

/**
 * A pseudonym: one person in one month of one organisation. It reveals neither the person nor their pseudonyms of other
 * months.
 */
export const pseudonymId = z.string().regex(/^[0-9a-f]{24}$/);
const month = z.string().regex(/^\d{4}-\d\d$/);
const count = z.number().int();

const used = {
  /** Attempts, as in the ledger. An answer with a second attempt counts twice. */
  attempts: count,
  /** Attempts of models without a price, so of unknown cost. */
  unpricedAttempts: count,
  inputTokens: count,
  outputTokens: count,
  costMicros: count,
};

/** A name that the reader asked to see, and until when they see it. */
export const shownName = z.strictObject({ revealId: nameRevealId, name: z.string(), until: timestamp });

/** A person's usage on the days of a span that are in this month. */
export const personUse = z.strictObject({
  id: pseudonymId,
  /** The first characters of the id, `P-7C19`, as many as make it unique. */
  pseudonym: z.string(),
  month,
  ...used,
  /** The day of the last question; never the time, which would tell others who the person is. */
  lastDay: z.iso.date(),
  name: shownName.nullable(),
});
export type PersonUse = z.infer<typeof personUse>;

const organisation = { service: 'monitoring', scope: 'organisation' } as const;
const read = { ...organisation, permission: 'usage:read_org' } as const;

/**
 * Lists usage by person, under pseudonyms that change each month. A month with fewer than 5 active people lists nobody.
 * `text` matches the beginning of a pseudonym and doesn't change the totals. Highest cost first, unless sorted
 * otherwise.
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
    /** Totals of everyone, including people who aren't shown one by one. */
    total: z.strictObject(used),
    /** The months of the span with activity, newest first; `people` is null for fewer than 5 people. */
    months: z.array(z.strictObject({ month, people: count.nullable() })),
    /** The currency of all costs; null before the installation has its first price. */
    currency: currency.nullable(),
    timeZone: z.string(),
    /** True if there was too much usage to add up: the earliest days are missing. */
    isCut: z.boolean(),
  }),
});

/**
 * Returns when a person asked questions, and which models. 404 `monitoring.person-not-found` if nobody in the span has
 * this pseudonym, or fewer than 5 people were active.
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
    /** Usage of each model, highest cost first. */
    models: z.array(z.strictObject({ model: z.string(), ...used })),
    currency: currency.nullable(),
  }),
});

/** The durations, in hours, for which a name can be shown. */
export const revealHours = z.union([z.literal(1), z.literal(24), z.literal(168)]);
export type RevealHours = z.infer<typeof revealHours>;

/**
 * Shows the name behind a pseudonym to the caller only, for a reason and a time. The person gets an email and sees the
 * reveal on their own page, and it is audited. Idempotent by id. 404 `monitoring.person-not-found`, also for a former
 * member.
 */
export const revealName = defineRoute({
  ...organisation,
  permission: 'usage:read_person',
  cost: 'write',
  route: 'POST /api/monitoring/name-reveals',
  status: 201,
  // Asks for the name. Each request with a new id sends an email to the person.
  body: z.strictObject({ id: nameRevealId, personId: pseudonymId, reason: plainName(500), hours: revealHours }),
  response: shownName,
});

/** Ends showing a name. Idempotent. */
export const endReveal = defineRoute({
  ...organisation,
  permission: 'usage:read_person',
  cost: 'write',
  route: 'DELETE /api/monitoring/name-reveals/:revealId',
  status: 204,
  params: z.strictObject({ revealId: nameRevealId }),
});

/** Lists who saw the caller's name in this organisation, newest first. */
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
      /** When the reveal ends, or ended. */
      until: timestamp,
    }),
  ),
});

/** Returns the pseudonyms of these people in a month, in the given order, for readers who can't see names. */
export const listPseudonyms = defineRoute({
  service: 'monitoring',
  scope: 'internal',
  route: 'POST /internal/monitoring/organisations/:orgId/pseudonyms',
  params: z.strictObject({ orgId }),
  body: z.strictObject({ month, userIds: z.array(userId).max(100) }),
  response: z.strictObject({ items: z.array(z.string()) }),
});

/** A reader was shown the name behind a pseudonym. */
export const nameRevealed = defineEvent('name.revealed.v1', 'monitoring', {
  data: z.object({
    orgId,
    revealId: nameRevealId,
    /** The person whose name was shown. */
    userId,
    by: userId,
    /** The organisation's name at that time. */
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
