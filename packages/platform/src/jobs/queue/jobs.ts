import type { BeforeApplicationShutdown, OnApplicationBootstrap } from '@nestjs/common';
import type { OrgId } from '@parley/protocol';
import type { Clock } from '../../base/clock/index.ts';
import type { JobDefinition } from '../../base/job-definition.ts';
import type { Logger } from '../../base/logging/index.ts';
import type { Metrics } from '../../base/telemetry/metrics.ts';
import type { Doorbell } from '../../ports/doorbell/index.ts';
import { dueLater, jobBell, type JobRow, type JobRows } from '../../rows/jobs/index.ts';
import { every } from '../../base/every/index.ts';
import { JobsEnd } from './job-run.ts';
import { KindQueue, type JobRunner } from './kind-queue.ts';

/** The time between two sweeps, which find jobs whose ring was lost. */
const sweepMs = 30_000;
/** The time between two renewals of a running job's lease. */
const renewMs = 5_000;

type Parts = {
  readonly rows: JobRows;
  readonly clock: Clock;
  readonly doorbell: Doorbell;
  readonly service: string;
  readonly logger: Logger;
  readonly metrics: Metrics;
  /** Returns the flow (share of capacity) of an organisation. Missing: each organisation has its own flow. */
  readonly flows?: { of(orgId: OrgId): string } | undefined;
  /** True if no other process runs jobs of this service. */
  readonly isAlone: boolean;
  /** False in a process that queues jobs and runs none. */
  readonly isWorking: boolean;
};

/**
 * Runs the jobs of a service in turns of flows (see `Flows`), then of persons. A job runs under a lease: if this
 * process dies, another process takes the job over. At a shutdown, this process gives its jobs back.
 */
export class Jobs implements BeforeApplicationShutdown, OnApplicationBootstrap {
  private readonly queues = new Map<string, KindQueue<never>>();
  private readonly ending = new AbortController();
  private readonly stops: (() => void)[] = [];
  private readonly sweep = every('looks for jobs', sweepMs, () => this.look());
  private readonly renewing = every('renews the leases of jobs', renewMs, () => this.renew());

  constructor(private readonly parts: Parts) {}

  /** Declares who runs a kind of job, before the start. */
  register<Input>(job: JobDefinition<Input>, runner: JobRunner<Input>): void {
    const { rows, clock, logger, flows } = this.parts;
    if (this.queues.has(job.kind)) throw new Error(`${job.kind} is run by two classes.`);
    const flowOf = ({ orgId, person, flow }: JobRow): string =>
      flow ?? (orgId === null ? person : (flows?.of(orgId) ?? orgId));
    const wakeIn = (ms: number) => this.sweep.wake(ms);
    const parts = { rows, clock, logger, flowOf, ending: this.ending.signal, wakeIn };
    const queue = new KindQueue(job, runner, parts);
    this.queues.set(job.kind, queue as unknown as KindQueue<never>);
  }

  /** Lists the kinds of jobs of this service. */
  get kinds(): string[] {
    return [...this.queues.keys()];
  }

  async onApplicationBootstrap(): Promise<void> {
    const { rows, clock, doorbell, service, logger, metrics, isAlone, isWorking } = this.parts;
    for (const kind of this.kinds) {
      let counting: ReturnType<JobRows['countOf']> | null = null;
      // Shares one count among the three gauges of a kind, which are read at the same time.
      const count = () => (counting ??= rows.countOf(kind).finally(() => (counting = null)));
      for (const state of ['ready', 'running', 'parked'] as const)
        metrics.gauge('parley_jobs', { service, kind, state }, async () => (await count())[state]);
    }
    if (!isWorking || this.queues.size === 0) return;
    if (isAlone) await rows.releaseAll(clock.now());
    for (const [kind, queue] of this.queues)
      this.stops.push(doorbell.on(jobBell(service, kind), () => void queue.wake()));
    this.stops.push(doorbell.on(jobBell(service, dueLater), () => void this.wakeDue().catch(() => undefined)));
    this.sweep.start(logger);
    this.renewing.start(logger);
  }

  /** Gives running jobs back, for another process or the next start, before anything that they use is closed. */
  async beforeApplicationShutdown(): Promise<void> {
    for (const stop of this.stops) stop();
    this.ending.abort(new JobsEnd('The process ends.'));
    await this.sweep.stop();
    await Promise.all([...this.queues.values()].map((queue) => queue.wake()));
    await Promise.all([...this.queues.values()].flatMap(({ running }) => [...running.values()]));
    await this.renewing.stop();
  }

  /** Looks for all jobs that are due now; resolves when those with a free slot have begun. */
  async look(): Promise<void> {
    await this.wakeDue();
    await Promise.all([...this.queues.values()].map((queue) => queue.wake()));
  }

  /** Resolves when all jobs that run now have ended. */
  async settled(): Promise<void> {
    await Promise.all([...this.queues.values()].flatMap(({ running }) => [...running.values()]));
  }

  /** Makes due jobs ready, and looks again when the next job is due. */
  private async wakeDue(): Promise<void> {
    const { rows, clock } = this.parts;
    const { kinds, nextAt } = await rows.wakeDue(clock.now());
    for (const kind of kinds) void this.queues.get(kind)?.wake();
    const inMs = nextAt === null ? Infinity : nextAt.getTime() - clock.now().getTime();
    if (inMs < sweepMs) this.sweep.wake(Math.max(0, inMs));
  }

  private async renew(): Promise<void> {
    const running = [...this.queues.values()].flatMap((queue) => [...queue.running.keys()]);
    const renewed = await Promise.allSettled(running.map((run) => run.renew()));
    const failed = renewed.find((each) => each.status === 'rejected');
    if (failed) throw failed.reason;
  }
}
