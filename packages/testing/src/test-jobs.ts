import { Jobs, type JobDefinition, type JobRunner } from '@parley/platform/jobs';
import { NoMetrics } from '@parley/platform/telemetry';
import { silentLogger } from './builders.ts';
import type { ServiceStore } from './service-store.ts';

/** A process that runs jobs in a spec: it looks when it is told to, by the clock of the store. */
export class TestJobs {
  private readonly jobs: Jobs;
  private begun = 0;

  constructor({ outbox, clock, doorbell }: Pick<ServiceStore, 'outbox' | 'clock' | 'doorbell'>) {
    const parts = { rows: outbox.jobs.rows, clock, doorbell, service: outbox.source };
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
      giveUp: (input, cause) => Promise.resolve(runner.giveUp?.(input, cause)),
    });
    return this;
  }

  /** Begins what is due and has room. */
  look(): Promise<void> {
    return this.jobs.look();
  }

  /** Runs what is due, and what comes of it, until nothing is left that is due. */
  async run(): Promise<void> {
    let before: number;
    do {
      before = this.begun;
      await this.jobs.look();
      await this.jobs.settled();
    } while (this.begun !== before);
  }

  /** Ends as a process does in order: what runs is given back. */
  end(): Promise<void> {
    return this.jobs.onApplicationShutdown();
  }
}
