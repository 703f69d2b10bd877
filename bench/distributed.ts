// The seven processes as the build wrote them, one of each, on a real Kafka and Redis.
import {
  Installation,
  processNames,
  startInfrastructure,
  type Infrastructure,
  type Running,
} from '@parley/testing/distributed';
import { benchFirstToken, benchRelay, benchTwentyAtOnce } from './answers.ts';
import { distributedBudgets } from './budgets.ts';
import { benchConsumers, type EventStores } from './consumers.ts';
import { startFloors, type Floors } from './floors.ts';
import { benchOutbox } from './outbox.ts';
import { cpuSecondsOf, rssMbOf, wait, type Product } from './product.ts';
import { Report } from './report.ts';
import { benchSecondBrowser } from './second-browser.ts';

const readyWithinMs = 60_000;
const aboutOf = ({ kafka, redis }: Infrastructure): string =>
  `Seven processes, one of each, on Kafka ${kafka.version} and Redis ${redis.version}, one node each. No MongoDB: the store is the embedded one, in a thread of this bench; its CPU is not Parley's.\n`;

export function benchDistributed(interruption: Promise<never>): Promise<void> {
  return withInfrastructure(async (infrastructure) => {
    const report = new Report(distributedBudgets);
    await Promise.race([measure(infrastructure, report), interruption]);
    process.stdout.write(aboutOf(infrastructure));
    report.print();
    report.write('latest-distributed.json');
  });
}

/** Where the servers cannot run it says so and measures nothing. */
async function withInfrastructure(run: (infrastructure: Infrastructure) => Promise<void>): Promise<void> {
  const infrastructure = await startInfrastructure();
  if ('skipped' in infrastructure)
    return void process.stdout.write(`skipped: the distributed edition: ${infrastructure.skipped}\n`);
  try {
    await run(infrastructure);
  } finally {
    await infrastructure.close();
  }
}

/** Runs something on the seven processes, as soon as all are ready; see `withInfrastructure`. */
export function withInstallation(run: (bench: { product: Product; floors: Floors }) => Promise<void>): Promise<void> {
  return withInfrastructure((infrastructure) =>
    withProcesses(infrastructure, async (started) => {
      await run({ product: await startAll(started), floors: started.floors });
    }),
  );
}

/** The events are measured when the processes have ended: they would take part. */
async function measure(infrastructure: Infrastructure, report: Report): Promise<void> {
  await measureProduct(infrastructure, report);
  const { kafka, redis, mongoUrl } = infrastructure;
  const stores: EventStores = { broker: kafka.url, mongoUrlOf: (name) => mongoUrl.replace('?', `/${name}?`) };
  await benchOutbox({ ...stores, redisUrl: redis.url }, report);
  await benchConsumers(stores, report);
}

async function measureProduct(infrastructure: Infrastructure, report: Report): Promise<void> {
  await withProcesses(infrastructure, async (started) => {
    const bench = { product: await startAll(started), floors: started.floors, report };
    await wait(1_000);
    report.add('RSS idle', bench.product.rssMb());
    await benchFirstToken(bench);
    await benchTwentyAtOnce(bench);
    await benchRelay(bench, 100);
    await benchSecondBrowser(bench);
  });
}

type Started = {
  readonly infrastructure: Infrastructure;
  readonly installation: Installation;
  readonly floors: Floors;
};

async function withProcesses(infrastructure: Infrastructure, run: (started: Started) => Promise<void>): Promise<void> {
  const floors = await startFloors();
  const installation = await Installation.prepare({
    infrastructure,
    // The rates are those that people meet: no scenario reaches one.
    settings: { PARLEY_OUTBOUND_ALLOW: floors.modelAddress, PARLEY_TRUSTED_PROXY: '127.0.0.1', PARLEY_RATE_LIMITS: '' },
  });
  try {
    await installation.setUp();
    await run({ infrastructure, installation, floors });
  } finally {
    await installation.close();
    await floors.close();
  }
}

async function startAll({ infrastructure, installation }: Started): Promise<Product> {
  const processes = await Promise.all(processNames.map((name) => installation.start(name)));
  await untilReady(processes);
  return productOf({ infrastructure, installation }, processes);
}

async function untilReady(processes: readonly Running[]): Promise<void> {
  const deadline = performance.now() + readyWithinMs;
  for (;;) {
    const ready = await Promise.all(processes.map((each) => each.isReady()));
    if (ready.every(Boolean)) return;
    if (performance.now() > deadline)
      throw new Error(
        `not ready: ${processes
          .filter((_each, at) => !ready[at])
          .map(({ name, log }) => `${name}: ${log().slice(-500)}`)
          .join('\n')}`,
      );
    await wait(50);
  }
}

function productOf(
  { infrastructure: { kafka, redis }, installation }: Omit<Started, 'floors'>,
  processes: readonly Running[],
): Product {
  const sum = (of: (pid: number) => number) => processes.reduce((total, { pid }) => total + of(pid), 0);
  return {
    url: installation.publicUrl,
    cpuSeconds: () => ({
      parley: sum(cpuSecondsOf),
      servers: { Kafka: cpuSecondsOf(kafka.pid), Redis: cpuSecondsOf(redis.pid), store: storeSeconds() },
    }),
    rssMb: () => sum(rssMbOf),
  };
}

/** The store is the only other busy thread of this process. */
function storeSeconds(): number {
  const [all, own] = [process.cpuUsage(), process.threadCpuUsage()];
  return (all.user + all.system - own.user - own.system) / 1e6;
}
