import { Global, Module, type DynamicModule, type Provider, type Type } from '@nestjs/common';
import { Blobs } from '../../ports/blobs/index.ts';
import { Clock, SystemClock } from '../../base/clock/index.ts';
import { Sealer } from '../../base/crypto/index.ts';
import { Doorbell } from '../../ports/doorbell/index.ts';
import { EventStrategy, type DeadLetters, type EventStrategyOptions } from '../../events/consumers/index.ts';
import { JobRows, Jobs } from '../../jobs/queue/index.ts';
import { Flows } from '../flows/flows.ts';
import { Counts } from '../../jobs/counts/index.ts';
import { Kv } from '../../ports/kv/index.ts';
import { Mailer } from '../../ports/mailer/index.ts';
import { Mongo } from '../../rows/mongo/index.ts';
import { emptyOutbox, Outbox, OutboxRelay, type RecordSnapshot } from '../../events/outbox/index.ts';
import type { DataMigration } from '../../rows/schema/index.ts';
import type { CountedQuota, QuotaSource } from '../../rows/quotas/index.ts';
import { Work } from '../../events/work/index.ts';
import { Platform, type RunningService } from './platform.ts';
import { eventHealthFeature, OwnEvents } from './event-health.ts';
import { jobHealthFeature, OwnJobs } from './job-health.ts';
import { traceIdOf } from './problem.filter.ts';
import { createNestService, startNestService, type NestServiceOptions } from './start-nest-service.ts';

@Global()
@Module({})
class PortsModule {}

/**
 * Returns how many events of the log the service hasn't handled yet. Not injectable in a service that consumes nothing.
 */
export class EventLag {
  constructor(readonly count: () => Promise<number>) {}
}

/** The parts of a service, the same for starting it and for an operator's command that works on its database. */
export type OwnerParts = {
  readonly modules: readonly Type[];
  /** The service's own settings, and everything else that its features inject. */
  providers(mongo: Mongo): Provider[];
  /** The consumer group of its event handlers; null if it consumes nothing. */
  readonly group: string | null;
  /**
   * Makes event handlers wait this long, so that events of several topics share a transaction. Missing: they don't
   * wait.
   */
  readonly gatherMs?: number;
  /** False if other processes of the service run its jobs and do its upkeep. */
  readonly upkeep?: boolean;
  /** Changes of data that older versions wrote, in this order. Entries are only added. */
  readonly dataMigrations?: readonly DataMigration[];
  /** Finds what the service's counter counts, for `parley doctor`. */
  readonly counter?: QuotaSource;
  /** Counts quotas of an organisation without a counter, for `parley limits`. */
  readonly countedQuotas?: readonly CountedQuota[];
  /**
   * Republishes everything that the service owns and others need, for `parley republish`; each event needs an
   * `identity`.
   */
  snapshots?(owner: ConstructedOwner, record: RecordSnapshot): Promise<void>;
};

/**
 * Starts a service that owns data: its database, its outbox with a relay if the log is elsewhere, its consumers, its
 * routes. Closing ends them in reverse order: requests and consumers first, the store last.
 */
export async function startOwner(platform: Platform, parts: OwnerParts): Promise<RunningService> {
  const { mongo, relay, deadLetters, options } = await openOwner(platform, parts);
  const { deployable: service, metrics, log } = platform;
  const start = async () => {
    await platform.prepareStore(mongo, parts.dataMigrations ?? []);
    if (log) await emptyOutbox(mongo, log);
    relay?.start();
    metrics.gauge('parley_outbox_pending', { service }, () => relay?.backlog() ?? 0);
    metrics.gauge('parley_outbox_oldest_age_seconds', { service }, () => relay?.oldestAgeSeconds() ?? 0);
    if (deadLetters) {
      metrics.gauge('parley_dead_letters', { service }, () => deadLetters.count());
      metrics.gauge('parley_parked_keys', { service }, () => deadLetters.countParkedKeys());
    }
  };
  const running = await startNestService({ ...options, beforeStart: start });
  let closing: Promise<void> | null = null;
  const close = async () => {
    await running.close();
    await relay?.close();
    await mongo.close();
  };
  return { url: running.url, close: () => (closing ??= close()) };
}

/** The parts of a service that an operator's command gets. */
export type ConstructedOwner = {
  readonly mongo: Mongo;
  readonly outbox: Outbox;
  get<Provided>(token: Type<Provided>): Provided;
};

/** Constructs a service with its database, lets `work` use it, and starts nothing: no routes, relay or consumers. */
export async function withOwner<Result>(
  platform: Platform,
  parts: OwnerParts,
  work: (owner: ConstructedOwner) => Promise<Result>,
): Promise<Result> {
  const { mongo, outbox, options } = await openOwner(platform, parts);
  try {
    const app = await createNestService(options);
    return await work({ mongo, outbox, get: (token) => app.get(token, { strict: false }) });
  } finally {
    await mongo.close();
  }
}

type OpenedOwner = {
  readonly mongo: Mongo;
  readonly outbox: Outbox;
  /** Null if events go into the log immediately. */
  readonly relay: OutboxRelay | null;
  /** Null if the service consumes nothing. */
  readonly deadLetters: DeadLetters | null;
  readonly options: NestServiceOptions;
};

async function openOwner(platform: Platform, parts: OwnerParts): Promise<OpenedOwner> {
  const { bus, log, doorbell, failpoint, logger, blobs, sealer, mailer, deployable: source } = platform;
  const mongo = await platform.openStore();
  const outbox = new Outbox({ mongo, doorbell, source, log });
  const relay = log ? null : new OutboxRelay({ mongo, bus, doorbell, source, logger, failpoint });
  const { group, gatherMs } = parts;
  const consumers = group === null ? undefined : openConsumers(platform, { group, gatherMs, mongo, outbox });
  const ports: Provider[] = [
    { provide: Platform, useValue: platform },
    { provide: Mongo, useValue: mongo },
    { provide: Work, useValue: new Work({ outbox }) },
    { provide: Clock, useClass: SystemClock },
    { provide: Kv, useValue: platform.kv },
    { provide: Counts, useValue: new Counts(platform.kv) },
    { provide: Doorbell, useValue: doorbell },
    { provide: JobRows, useValue: outbox.jobs.rows },
    jobsOf(platform, outbox, parts.upkeep ?? true),
    ownJobs(outbox),
    ...(blobs ? [{ provide: Blobs, useValue: blobs }] : []),
    ...(sealer ? [{ provide: Sealer, useValue: sealer }] : []),
    ...(mailer ? [{ provide: Mailer, useValue: mailer }] : []),
    ...(consumers ? eventProviders(consumers, relay) : []),
    ...parts.providers(mongo),
  ];
  const portsModule: DynamicModule = { module: PortsModule, providers: ports, exports: ports };
  const deadLetters = consumers?.runtime.deadLetters ?? null;
  // Adds the routes that monitoring calls, except to monitoring, which reads its own state without a call.
  const isWatched = consumers && source !== 'bff' && source !== 'monitoring';
  const watched = isWatched ? [eventHealthFeature(source), jobHealthFeature(source)] : [];
  return {
    mongo,
    outbox,
    relay,
    deadLetters,
    options: { platform, mongo, modules: [portsModule, ...watched, ...parts.modules], consumers, upkeep: parts.upkeep },
  };
}

/** Runs the service's jobs, in turns of the flows (see `Flows`) that the service knows. */
const jobsOf = ({ doorbell, logger, metrics, isAlone }: Platform, outbox: Outbox, isWorking: boolean): Provider => ({
  provide: Jobs,
  inject: [Clock, { token: Flows, optional: true }],
  useFactory: (clock: Clock, flows?: Flows) => {
    const { jobs, source: service } = outbox;
    return new Jobs({ rows: jobs.rows, clock, doorbell, service, logger, metrics, flows, isAlone, isWorking });
  },
});

const ownJobs = ({ jobs: queue }: Outbox): Provider => ({
  provide: OwnJobs,
  inject: [Jobs],
  useFactory: (jobs: Jobs) => new OwnJobs(queue, () => jobs.kinds),
});

const eventProviders = ({ runtime }: EventStrategy, relay: OutboxRelay | null): Provider[] => [
  { provide: EventLag, useValue: new EventLag(() => runtime.lag()) },
  { provide: OwnEvents, useValue: new OwnEvents(runtime, relay) },
];

/** Opens the service's event handlers, and reports each event that becomes a dead letter. */
function openConsumers(
  { bus, logger, failpoint, reporter, deployable }: Platform,
  own: Pick<EventStrategyOptions, 'group' | 'gatherMs' | 'mongo' | 'outbox'>,
): EventStrategy {
  return new EventStrategy({
    ...own,
    bus,
    logger,
    failpoint,
    onDeadLetter: ({ consumer, error, envelope }) => {
      const traceparent = /"traceparent":"([^"]+)"/.exec(envelope)?.[1];
      reporter.report(error, { deployable, during: 'event', consumer, traceId: traceIdOf(traceparent) });
    },
  });
}
