import { orgId } from '@parley/protocol';
import { z } from 'zod';
import { collection, type RowOf } from '../mongo/index.ts';

/** Stores work that waits, runs, or was parked after its attempts. Finished work has no row. */
export const jobRows = collection(
  'jobs',
  {
    /** Kind and key, so that a job exists only once. */
    _id: z.string(),
    kind: z.string(),
    orgId: orgId.nullable(),
    /** The person within the organisation, who gets turns. */
    person: z.string(),
    /** The flow of the job, if the service that queued it has no copy of the organisations' flows. */
    flow: z.string().optional(),
    input: z.record(z.string(), z.unknown()),
    /** Due; due later; run by its holder until the lease ends; parked after all attempts. */
    state: z.enum(['ready', 'later', 'running', 'parked']),
    /** Orders ready jobs by kind, organisation and person; of a parked job its kind; empty otherwise. */
    part: z.string(),
    /** By state: since when the job is due, when it will be due, when its lease ends, or since when it is parked. */
    dueAt: z.date(),
    /** The attempt that runs the job. An attempt that isn't the holder any more can't change the row. */
    holder: z.string().nullable(),
    /** Counts attempts that failed or died, and the running one. */
    attempts: z.number().int(),
    /** True if the job was queued again while it ran, so that it runs once more. */
    isWantedAgain: z.boolean(),
    /** Counts how often the job was queued again. */
    wishes: z.number().int().optional(),
    progress: z.strictObject({ done: z.number().int(), of: z.number().int() }).nullable(),
    /** Class and code of the last failure, never its message. */
    cause: z.string().nullable(),
  },
  { tenant: 'platform', indexes: [{ state: 1, part: 1, dueAt: 1 }] },
);
export type JobRow = RowOf<typeof jobRows>;
export type JobProgress = NonNullable<JobRow['progress']>;
