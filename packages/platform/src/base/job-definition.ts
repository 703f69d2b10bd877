import type { OrgId } from '@parley/protocol';
import type { z } from 'zod';

/**
 * Names the organisation and the person by whom jobs take turns; no organisation where a job belongs to none. A service
 * without a copy of the flows of organisations names the flow, too.
 */
export type JobOwner = { readonly orgId: OrgId | null; readonly person: string; readonly flow?: string };

/** A kind of work that waits in rows until a worker has room. */
export type JobDefinition<Input> = {
  /** Its name in rows, metrics and Service health, such as `write-export`. */
  readonly kind: string;
  /** Checks what is stored with the job: ids, never what people wrote. */
  readonly input: z.ZodType<Input>;
  /** Returns the key of the job: two jobs with the same key are one. */
  keyOf(input: Input): string;
  ownerOf(input: Input): JobOwner;
  /** Jobs that one process runs at the same time: in all, of a flow (half of all unless given), of a person. */
  readonly slots: { readonly all: number; readonly ofFlow?: number; readonly ofPerson?: number };
  /** Milliseconds after which another process takes over from a worker that gives no sign of life; 15,000 at least. */
  readonly leaseMs: number;
  /** Attempts that may fail or die before the job is parked. */
  readonly attempts: number;
  /** Milliseconds between a failed attempt, counted from 1, and the next. */
  pauseMs(attempt: number): number;
  /** Milliseconds after which a running job makes room if others wait; null for a job in one piece. */
  readonly sliceMs: number | null;
};

/** `JobInput<typeof writeExport>`: what a job is queued with. */
export type JobInput<Definition> = Definition extends JobDefinition<infer Input> ? Input : never;

type Parts<Input> = Pick<JobDefinition<Input>, 'input'> &
  Omit<JobDefinition<NoInfer<Input>>, 'kind' | 'input' | 'sliceMs'> & { readonly sliceMs?: number };

/** Declares a kind of job. `tx.queue(job, input)` queues one; `feature({ jobs: [[job, Class]] })` says who runs it. */
export function defineJob<Input>(kind: string, { sliceMs, ...parts }: Parts<Input>): JobDefinition<Input> {
  if (!/^[a-z][a-z-]*$/.test(kind)) throw new Error(`${kind} is no name of a job: lower case letters and hyphens.`);
  if (parts.leaseMs < 15_000) throw new Error(`The lease of ${kind} is shorter than workers can renew it.`);
  return { ...parts, kind, sliceMs: sliceMs ?? null };
}
