import { randomUUID } from 'node:crypto';
import { JobLost, JobRun, Jobs, jobRows, type JobDefinition, type JobRunner } from '@parley/platform/jobs';
import { jobScope } from '@parley/platform/mongo';
import { NoMetrics } from '@parley/platform/telemetry';
import type { OrgId } from '@parley/protocol';
import { silentLogger } from './builders.ts';
import type { ServiceStore } from './service-store.ts';

const scope = jobScope('specs of jobs');

/** A process that runs jobs in a spec: it looks when it is told to, by the clock of the store. */
export class TestJobs {
  private readonly jobs: Jobs;
  private begun = 0;

  /** `flows` tells the flow of an organisation; each has its own without it. */
  constructor(
    { outbox, clock, doorbell }: Pick<ServiceStore, 'outbox' | 'clock' | 'doorbell'>,
    flows?: { of(orgId: OrgId): string },
  ) {
    const parts = { rows: outbox.jobs.rows, clock, doorbell, service: outbox.source, flows };
    this.jobs = new Jobs({
      ...parts,
      logger: silentLogger(),
      metrics: new NoMetrics(),
      isAlone: false,
      isWorking: true,
    });
  }

  with<Input>(job: JobDefinition<Input>, runner: JobRunner<Input>): this {
    this.jobs.register(job, {
      run: (input, run) => {
        this.begun += 1;
        return runner.run(input, run);
      },
      ...(runner.giveUp && { giveUp: (input: Input, cause: string) => runner.giveUp!(input, cause) }),
    });
    return this;
  }

  /** Begins as a process does that hears of what is queued. */
  start(): Promise<void> {
    return this.jobs.onApplicationBootstrap();
  }

  /** Begins what is due and has room. */
  look(): Promise<void> {
    return this.jobs.look();
  }

  /** Runs what is due, and what comes of it, until nothing is left that is due. */
  async run(): Promise<void> {
    // Jobs that began before leave no room until they have ended.
    await this.jobs.settled();
    let before: number;
    do {
      before = this.begun;
      await this.jobs.look();
      await this.jobs.settled();
    } while (this.begun !== before);
  }

  /** Ends as a process does in order: what runs is given back. */
  end(): Promise<void> {
    return this.jobs.beforeApplicationShutdown();
  }
}

type Attempt<Input> = { readonly job: JobDefinition<Input>; readonly key: string; readonly runner: JobRunner<Input> };

/** One attempt at this job alone, whenever it is due. It does nothing where the job runs, and throws what the attempt throws. */
export async function oneAttempt<Input>(
  { outbox, clock, mongo }: Pick<ServiceStore, 'outbox' | 'clock' | 'mongo'>,
  { job, key, runner }: Attempt<Input>,
): Promise<void> {
  const { rows } = outbox.jobs;
  const _id = `${job.kind}/${key}`;
  await mongo
    .rows(jobRows)
    .within(scope)
    .update({ _id, state: 'later' }, { $set: { state: 'ready' } });
  const { leaseMs, sliceMs } = job;
  const later = (ms: number) => new Date(clock.now().getTime() + ms);
  const row = await rows.claim({ _id }, { holder: randomUUID(), until: later(leaseMs) });
  if (!row) return;
  const ending = new AbortController().signal;
  const run = new JobRun({ rows, row, ending, later, leaseMs, othersWait: () => false, sliceMs });
  try {
    const end = await runner.run(job.input.parse(row.input), run);
    if (end) await rows.giveBack({ ...row, attempts: run.attempt }, { at: end.at, isCounted: false, now: clock.now() });
    else await rows.finish(row, clock.now());
  } catch (error) {
    await rows.giveBack({ ...row, attempts: run.attempt }, { at: null, isCounted: true, now: clock.now() });
    if (!(error instanceof JobLost)) throw error;
  }
}
