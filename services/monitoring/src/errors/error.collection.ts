import { errorDrop, errorGroupId, errorReport, failing, type ErrorReport } from '@parley/contracts';
import { collection, type RowOf } from '@parley/platform/mongo';
import { z } from 'zod';

const expireAfterSeconds = 30 * 24 * 3600;

/** Errors that are alike; forgotten 30 days after the last of them. */
export const errorGroupRows = collection(
  'error_groups',
  {
    _id: errorGroupId,
    deployable: failing,
    type: z.string(),
    code: z.string().nullable(),
    place: z.strictObject({ function: z.string(), file: z.string(), line: z.number().nullable() }).nullable(),
    isTest: z.boolean(),
    isResolved: z.boolean(),
    resolved: z.strictObject({ at: z.date(), by: z.string() }).nullable(),
    /** It happened again after somebody had resolved it. */
    isBack: z.boolean(),
    count: z.number().int(),
    /** Of the last 24 hours in which there was one, counted from 1970, the oldest first. */
    hours: z.array(z.strictObject({ hour: z.number().int(), count: z.number().int() })),
    /** Marks of people that say nothing without the person's id, and are others in each group. */
    people: z.array(z.string()),
    releases: z.array(z.string()),
    firstAt: z.date(),
    lastAt: z.date(),
    words: z.array(z.string()),
  },
  {
    tenant: 'platform',
    keys: ['words'],
    indexes: [
      { lastAt: -1, _id: -1 },
      { isTest: 1, isResolved: 1, lastAt: -1, _id: -1 },
      { isResolved: 1, lastAt: -1, _id: -1 },
      { deployable: 1, lastAt: -1, _id: -1 },
      { words: 1 },
      [{ lastAt: 1 }, { expireAfterSeconds }],
    ],
  },
);
export type ErrorGroupRow = RowOf<typeof errorGroupRows>;

/** The last reports of each group. Their places are numbered and used again, so that there are never more. */
export const errorSampleRows = collection(
  'error_samples',
  {
    /** Group and place. */
    _id: z.string(),
    groupId: errorGroupId,
    receivedAt: z.date(),
    eventId: z.string(),
    traceId: z.string().nullable(),
    digest: z.string().nullable(),
    /** Without the person. */
    report: z.custom<Omit<ErrorReport, 'userId'>>(
      (value) => errorReport.omit({ userId: true }).safeParse(value).success,
    ),
  },
  {
    tenant: 'platform',
    indexes: [
      { groupId: 1, receivedAt: -1 },
      { eventId: 1 },
      { traceId: 1 },
      { digest: 1 },
      [{ receivedAt: 1 }, { expireAfterSeconds }],
    ],
  },
);
export type ErrorSampleRow = RowOf<typeof errorSampleRows>;

/** What was not kept, by why. */
export const errorDropRows = collection(
  'error_drops',
  { _id: errorDrop, count: z.number().int(), lastAt: z.date() },
  { tenant: 'platform', indexes: [[{ lastAt: 1 }, { expireAfterSeconds }]] },
);
