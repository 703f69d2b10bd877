import { orgId } from '@parley/protocol';
import { z } from 'zod';
import { collection, type RowOf } from '../mongo/index.ts';

/** Stores work that waits, runs, or was parked after its attempts. Finished work has no row. */
export const jobRows = collection(
  'jobs',
  {
    /** Kind and key, so a job exists once. */
    _id: z.string(),
    kind: z.string(),
    orgId: orgId.nullable(),
    /** The person within the organisation, for turns. */
    person: z.string(),
    /** The flow, if the service that queued the job has no copy of them. */
    flow: z.string().optional(),
    input: z.record(z.string(), z.unknown()),
    /** Due; due later; run by its holder until the lease ends; parked. */
    state: z.enum(['ready', 'later', 'running', 'parked']),
    /** Orders ready ones by kind, organisation and person; the kind of a parked one; empty otherwise. */
    part: z.string(),
    /** Since when it is due, when it will be, when the lease ends, or since when it is parked. */
    dueAt: z.date(),
    /** The attempt that runs it. An attempt that has lost it changes nothing. */
    holder: z.string().nullable(),
    /** Attempts that began without an end of their own. */
    attempts: z.number().int(),
    /** It was queued again while it ran, so it runs once more. */
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
