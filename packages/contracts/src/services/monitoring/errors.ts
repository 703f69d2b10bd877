import { defineRoute, pageOf, pageQuery, timestamp, userId } from '@parley/protocol';
import { z } from 'zod';
import { errorTestId } from '../../ids.ts';
import { deployables } from '../../principal.ts';

/** Limits the size of an envelope from a browser, in bytes and items, and that of an error, in causes and calls. */
export const errorLimits = { envelopeBytes: 64_000, items: 10, depth: 20, causes: 5, frames: 30 } as const;

/** The part that failed: a deployable, the process of the one-process edition, or a page. */
export const failing = z.enum([...deployables, 'embedded', 'browser']);
export type Failing = z.infer<typeof failing>;

const hex = (digits: number) => z.string().regex(new RegExp(`^[0-9a-f]{${digits}}$`));
/** A word of a program: a class name or a code. Sentences and email addresses don't match. */
const word = z.string().regex(/^[\w.$/-]{1,60}$/);

/** A call of the stack: its place in the program, never its arguments. */
export const errorFrame = z.strictObject({
  function: z.string().regex(/^(\?|[\w$.<>#]{1,80})$/),
  file: z.string().regex(/^(\?|(node:)?[\w@+./-]{1,200})$/),
  line: z.number().int().min(0).max(10_000_000).nullable(),
  column: z.number().int().min(0).max(10_000_000).nullable(),
  /** Of Parley itself. */
  isOwn: z.boolean(),
});
export type ErrorFrame = z.infer<typeof errorFrame>;

/** An error, or one of its causes. */
export const failedError = z.strictObject({
  type: word,
  code: word.nullable(),
  /** Latest call first. */
  frames: z.array(errorFrame).max(errorLimits.frames),
});

/**
 * A report of an error: names in the program, numbers and ids of Parley, each in a form that no sentence has. It has no
 * message, because a message can quote what people wrote (ADR 0014). Anything else is refused.
 */
export const errorReport = z.strictObject({
  eventId: hex(32),
  at: timestamp,
  deployable: failing,
  during: z.enum(['request', 'page', 'event', 'process']),
  release: z
    .string()
    .regex(/^[\w.+@-]{1,40}$/)
    .nullable(),
  /** The path of the contract or page, with parameters unfilled. */
  route: z
    .string()
    .regex(/^[\w/:.{}*-]{1,120}$/)
    .nullable(),
  traceId: hex(32).nullable(),
  /** The code that the error page shows; it is also in the log. */
  digest: hex(10).nullable(),
  consumer: word.nullable(),
  /** The machine or container. */
  process: word.nullable(),
  /** Counted, never shown. */
  userId: userId.nullable(),
  /** The test that caused the error; null for other errors. */
  errorTestId: errorTestId.nullable(),
  /** The error, then its causes. */
  errors: z.array(failedError).min(1).max(errorLimits.causes),
});
export type ErrorReport = z.infer<typeof errorReport>;

/**
 * Why a report was dropped: larger than allowed; more than allowed in a minute; no envelope, or nothing that a report
 * can hold; items that are no errors, or too many; nested too deep; too many kinds of errors already.
 */
export const errorDrop = z.enum(['size', 'rate', 'malformed', 'items', 'depth', 'groups']);
export type ErrorDrop = z.infer<typeof errorDrop>;
export const errorDrops = z.partialRecord(errorDrop, z.number().int().min(1).max(1_000_000));
export type ErrorDrops = z.infer<typeof errorDrops>;

/**
 * Takes reports for Parley's own collector: errors, and how many were dropped on the way. Repeating the report of one
 * event changes nothing.
 */
export const takeErrorReports = defineRoute({
  service: 'monitoring',
  scope: 'internal',
  route: 'POST /internal/monitoring/error-reports',
  status: 204,
  body: z.strictObject({ reports: z.array(errorReport).max(errorLimits.items), drops: errorDrops }),
});

/**
 * Takes Sentry envelopes of Parley's own pages, also from visitors. Errors go to the collector, or to Sentry if a DSN
 * is set; anything else is dropped and counted. Envelopes are never passed on unchanged.
 */
export const sendErrorEnvelope = defineRoute({
  service: 'monitoring',
  answeredBy: 'bff',
  scope: 'public',
  cost: 'error-report',
  route: 'POST /api/monitoring/error-envelopes',
  status: 204,
  rawBodyLimit: errorLimits.envelopeBytes,
});

/** Where reports go. */
export const errorSink = z.enum(['collector', 'dsn']);

/** `new` for a day after the first error. `back`: the error happened again after someone resolved it. */
export const errorState = z.enum(['new', 'known', 'resolved', 'back']);
export type ErrorState = z.infer<typeof errorState>;

/** Identifies a group by what its errors have in common: the failing part, class, code and place in Parley's code. */
export const errorGroupId = hex(24);
const count = z.number().int();

/** Limits the people who are counted in a group of errors. */
export const mostCountedPeople = 100;
/** Limits the groups of errors that are kept. Errors of further groups are dropped and counted. */
export const mostErrorGroups = 1_000;
/** Limits the reports that a group of errors keeps. It keeps the latest. */
export const mostErrorSamples = 20;

/** A group of errors that are alike. */
export const errorGroup = z.strictObject({
  id: errorGroupId,
  deployable: failing,
  type: z.string(),
  code: z.string().nullable(),
  /** The latest call in Parley's own code; null for none. */
  place: z.strictObject({ function: z.string(), file: z.string(), line: z.number().nullable() }).nullable(),
  state: errorState,
  /** Only test errors. */
  isTest: z.boolean(),
  count,
  /** Number of errors in each of the last 24 hours, oldest first; the last hour isn't over. */
  hours: z.array(count).length(24),
  people: count,
  firstAt: timestamp,
  lastAt: timestamp,
  /** The newest last. */
  releases: z.array(z.string()),
  resolved: z.strictObject({ at: timestamp, by: z.string() }).nullable(),
});
export type ErrorGroup = z.infer<typeof errorGroup>;

/** One of a group's latest reports. */
export const errorSample = errorReport.omit({ userId: true }).extend({ receivedAt: timestamp });
export type ErrorSample = z.infer<typeof errorSample>;

const platform = { service: 'monitoring', scope: 'platform' } as const;

/**
 * Lists groups of errors of the last 30 days, latest first. Resolved groups and test errors only on request. `text`:
 * the beginning of a word of class, code, function or file, or a complete trace id or code of the error page.
 */
export const listCollectedErrors = defineRoute({
  ...platform,
  route: 'GET /api/monitoring/collected-errors',
  cost: 'report',
  query: pageQuery.extend({
    text: z.string().trim().min(1).max(100).optional(),
    deployable: failing.optional(),
    resolved: z.enum(['shown']).optional(),
    tests: z.enum(['shown']).optional(),
  }),
  response: pageOf(errorGroup).extend({
    sink: errorSink,
    /** Counts unresolved groups without test errors, and the errors of these groups in the last 24 hours. */
    open: z.strictObject({ groups: count, events: count }),
    /** Dropped errors of the last 30 days, by reason. */
    dropped: z.array(z.strictObject({ reason: errorDrop, count, lastAt: timestamp })),
  }),
});

const one = z.strictObject({ errorGroupId });

/** Returns a group with its latest reports, newest first. */
export const getCollectedError = defineRoute({
  ...platform,
  route: 'GET /api/monitoring/collected-errors/:errorGroupId',
  cost: 'read',
  params: one,
  response: errorGroup.extend({ samples: z.array(errorSample) }),
});

/** Changes the state of a group. A resolved one leaves the list until it happens again. */
export const changeErrorState = defineRoute({
  ...platform,
  route: 'PUT /api/monitoring/collected-errors/:errorGroupId/state',
  cost: 'write',
  params: one,
  body: z.strictObject({ state: z.enum(['resolved', 'open']) }),
  response: errorGroup,
});

export const errorRoutes = {
  takeErrorReports,
  sendErrorEnvelope,
  listCollectedErrors,
  getCollectedError,
  changeErrorState,
};
