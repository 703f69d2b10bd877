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
    /** The person within the organisation for whom the job runs; persons take turns. */
    person: z.string(),
    /** The job's flow (share of capacity), if the service that queued it has no copy of the organisations' flows. */
    flow: z.string().optional(),
    input: z.record(z.string(), z.unknown()),
    /** `ready`: due. `later`: due later. `running`: run by its holder under a lease. `parked`: all attempts failed. */
    state: z.enum(['ready', 'later', 'running', 'parked']),
    /** The key by which jobs take turns: kind, organisation and person while ready, the kind while parked, else empty. */
    part: z.string(),
    /** By state: since when the job is due, when it will be due, when its lease ends, or since when it is parked. */
    dueAt: z.date(),
    /** The attempt that runs the job. An attempt that isn't the holder any more can't change the row. */
    holder: z.string().nullable(),
    /** Counts attempts that failed or died, and the running one. */
    attempts: z.number().int(),
    /** True if the job was queued again while it ran, so that it runs once more. */
    isWantedAgain: z.boolean(),
    /** Counts repeated queuings, so that each conflicts with a worker that claims the job meanwhile. */
    wishes: z.number().int().optional(),
    progress: z.strictObject({ done: z.number().int(), of: z.number().int() }).nullable(),
    /** Class and code of the last failure, never its message. */
    cause: z.string().nullable(),
  },
  { tenant: 'platform', indexes: [{ state: 1, part: 1, dueAt: 1 }] },
);
export type JobRow = RowOf<typeof jobRows>;
export type JobProgress = NonNullable<JobRow['progress']>;
