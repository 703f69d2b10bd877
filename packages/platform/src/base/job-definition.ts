import type { OrgId } from '@parley/protocol';
import type { z } from 'zod';

/**
 * The organisation (null for none) and the person of a job, by which jobs take turns. A service without a copy of the
 * flows (see `Flows`) also names the flow: the share of capacity that the organisation belongs to.
 */
export type JobOwner = { readonly orgId: OrgId | null; readonly person: string; readonly flow?: string };

/** A kind of work that waits in rows until a worker is free. */
export type JobDefinition<Input> = {
  /** The kind's name in rows, metrics and Service health, such as `write-export`. */
  readonly kind: string;
  /** Checks the input that is stored with the job: ids, never what people wrote. */
  readonly input: z.ZodType<Input>;
  /** Returns the key of the job. Queuing a second job with the same key doesn't add one. */
  keyOf(input: Input): string;
  ownerOf(input: Input): JobOwner;
  /** Maximum jobs that run at once in a process: in all, per flow (see `Flows`; by default half of all), per person. */
  readonly slots: { readonly all: number; readonly ofFlow?: number; readonly ofPerson?: number };
  /** Milliseconds until another process takes over from a silent worker; at least 15,000. */
  readonly leaseMs: number;
  /** Maximum attempts that fail or end with a crash, before the job is parked. */
  readonly attempts: number;
  /** Milliseconds between failed attempt `attempt`, counted from 1, and the next. */
  pauseMs(attempt: number): number;
  /** Milliseconds after which a running job makes room for waiting jobs; null if it runs to its end in one piece. */
  readonly sliceMs: number | null;
};

/** `JobInput<typeof writeExport>`: the input of a queued job. */
export type JobInput<Definition> = Definition extends JobDefinition<infer Input> ? Input : never;

type Parts<Input> = Pick<JobDefinition<Input>, 'input'> &
  Omit<JobDefinition<NoInfer<Input>>, 'kind' | 'input' | 'sliceMs'> & { readonly sliceMs?: number };

/** Declares a kind of job. `tx.queue(job, input)` queues one; `feature({ jobs: [[job, Class]] })` says who runs it. */
export function defineJob<Input>(kind: string, { sliceMs, ...parts }: Parts<Input>): JobDefinition<Input> {
  if (!/^[a-z][a-z-]*$/.test(kind)) throw new Error(`${kind} is no name of a job: lower case letters and hyphens.`);
  if (parts.leaseMs < 15_000) throw new Error(`The lease of ${kind} is shorter than workers can renew it.`);
  return { ...parts, kind, sliceMs: sliceMs ?? null };
}
