import { defineRoute, pageOf, pageQuery, timestamp, userId } from '@parley/protocol';
import { z } from 'zod';
import { errorTestId } from '../../ids.ts';
import { deployables } from '../../principal.ts';

/** So many bytes may an envelope of a browser have, and so many items; of one error so many causes and calls are kept. */
export const errorLimits = { envelopeBytes: 64_000, items: 10, depth: 20, causes: 5, frames: 30 } as const;

/** Who fails: a deployable, the whole process of the one-process edition, or a page. */
export const failing = z.enum([...deployables, 'embedded', 'browser']);
export type Failing = z.infer<typeof failing>;

const hex = (digits: number) => z.string().regex(new RegExp(`^[0-9a-f]{${digits}}$`));
/** A word of a program: the name of a class, a code. Sentences and mail addresses are none. */
const word = z.string().regex(/^[\w.$/-]{1,60}$/);

/** A call of the stack: where in the program, never with what. */
export const errorFrame = z.strictObject({
  function: z.string().regex(/^(\?|[\w$.<>#]{1,80})$/),
  file: z.string().regex(/^(\?|(node:)?[\w@+./-]{1,200})$/),
  line: z.number().int().min(0).max(10_000_000).nullable(),
  column: z.number().int().min(0).max(10_000_000).nullable(),
  /** Of Parley itself. */
  isOwn: z.boolean(),
});
export type ErrorFrame = z.infer<typeof errorFrame>;

/** An error or one of its causes. */
export const failedError = z.strictObject({
  type: word,
  code: word.nullable(),
  /** The latest call first. */
  frames: z.array(errorFrame).max(errorLimits.frames),
});

/**
 * What is told of a fault: names of the program, numbers and ids of ours, each of a shape that no sentence has. Never a
 * message: it may quote what people wrote (ADR 0014). What does not fit is refused.
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
  /** The contract's path with its parameters unfilled, or a page's. */
  route: z
    .string()
    .regex(/^[\w/:.{}*-]{1,120}$/)
    .nullable(),
  traceId: hex(32).nullable(),
  /** What the error page shows to the person; it stands in the log as well. */
  digest: hex(10).nullable(),
  consumer: word.nullable(),
  /** The machine or container. */
  process: word.nullable(),
  /** Counted, never shown. */
  userId: userId.nullable(),
  /** Made on purpose, on the page of error tests. */
  errorTestId: errorTestId.nullable(),
  /** The error, then its causes. */
  errors: z.array(failedError).min(1).max(errorLimits.causes),
});
export type ErrorReport = z.infer<typeof errorReport>;

/**
 * Why something was not kept: larger than allowed; more than allowed in a minute; no envelope, or nothing that a report
 * may hold; items that are no errors, or too many; nested too deep; too many kinds of errors already.
 */
export const errorDrop = z.enum(['size', 'rate', 'malformed', 'items', 'depth', 'groups']);
export type ErrorDrop = z.infer<typeof errorDrop>;
export const errorDrops = z.partialRecord(errorDrop, z.number().int().min(1).max(1_000_000));
export type ErrorDrops = z.infer<typeof errorDrops>;

/**
 * Parley's own collector: what failed, and how much was left out on the way. A report whose event is known changes
 * nothing.
 */
export const takeErrorReports = defineRoute({
  service: 'monitoring',
  scope: 'internal',
  route: 'POST /internal/monitoring/error-reports',
  status: 204,
  body: z.strictObject({ reports: z.array(errorReport).max(errorLimits.items), drops: errorDrops }),
});

/**
 * The tunnel: Sentry envelopes of our own pages, from visitors too. They go on to the collector, or to Sentry where a
 * DSN is set; what is no error of ours is dropped and counted. Nothing of it is passed on as it came.
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

/** `new` for a day after the first one; `back` came again after somebody had resolved it. */
export const errorState = z.enum(['new', 'known', 'resolved', 'back']);
export type ErrorState = z.infer<typeof errorState>;

/** Groups are known by what they have in common: who fails, class, code and the place in our program. */
export const errorGroupId = hex(24);
const count = z.number().int();

/** So many people are counted in a group; a group has no more of them. */
export const mostCountedPeople = 100;
/** So many groups are kept; a further one is dropped and counted. */
export const mostErrorGroups = 1_000;
/** So many of its last reports a group keeps. */
export const mostErrorSamples = 20;

/** Errors that are alike. */
export const errorGroup = z.strictObject({
  id: errorGroupId,
  deployable: failing,
  type: z.string(),
  code: z.string().nullable(),
  /** The latest call of our own program; null where there is none. */
  place: z.strictObject({ function: z.string(), file: z.string(), line: z.number().nullable() }).nullable(),
  state: errorState,
  /** Made on the page of error tests only. */
  isTest: z.boolean(),
  count,
  /** Of each of the last 24 hours, oldest first; the last one is running. */
  hours: z.array(count).length(24),
  people: count,
  firstAt: timestamp,
  lastAt: timestamp,
  /** The newest last. */
  releases: z.array(z.string()),
  resolved: z.strictObject({ at: timestamp, by: z.string() }).nullable(),
});
export type ErrorGroup = z.infer<typeof errorGroup>;

/** One of a group's last reports. */
export const errorSample = errorReport.omit({ userId: true }).extend({ receivedAt: timestamp });
export type ErrorSample = z.infer<typeof errorSample>;

const platform = { service: 'monitoring', scope: 'platform' } as const;

/**
 * What has failed in the last 30 days, the latest first. Resolved ones and those of the error test page only where they
 * are asked for. `text` is the start of a word of class, code, function or file, or a whole trace id or digest.
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
    /** Not resolved, without tests: groups, and events of their last 24 hours. */
    open: z.strictObject({ groups: count, events: count }),
    /** What was not kept, in 30 days since it last happened. */
    dropped: z.array(z.strictObject({ reason: errorDrop, count, lastAt: timestamp })),
  }),
});

const one = z.strictObject({ errorGroupId });

/** A group and its last reports, the newest first. */
export const getCollectedError = defineRoute({
  ...platform,
  route: 'GET /api/monitoring/collected-errors/:errorGroupId',
  cost: 'read',
  params: one,
  response: errorGroup.extend({ samples: z.array(errorSample) }),
});

/** Resolved, it leaves the list until it happens again. */
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
