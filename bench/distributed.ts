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

/** Where the servers cannot run it says so and measures nothing. */
export async function benchDistributed(interruption: Promise<never>): Promise<void> {
  const infrastructure = await startInfrastructure();
  if ('skipped' in infrastructure)
    return void process.stdout.write(`skipped: the distributed edition: ${infrastructure.skipped}\n`);
  const report = new Report(distributedBudgets);
  try {
    await Promise.race([measure(infrastructure, report), interruption]);
    process.stdout.write(aboutOf(infrastructure));
    report.print();
    report.write('latest-distributed.json');
  } finally {
    await infrastructure.close();
  }
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
  const floors = await startFloors();
  const installation = await Installation.prepare({
    infrastructure,
    isBuilt: true,
    settings: { PARLEY_OUTBOUND_ALLOW: floors.modelAddress, PARLEY_TRUSTED_PROXY: '127.0.0.1' },
  });
  try {
    await installation.setUp();
    await measureInstallation({ infrastructure, installation, floors }, report);
  } finally {
    await installation.close();
    await floors.close();
  }
}

type Started = {
  readonly infrastructure: Infrastructure;
  readonly installation: Installation;
  readonly floors: Floors;
};

async function measureInstallation({ infrastructure, installation, floors }: Started, report: Report): Promise<void> {
  const processes = await Promise.all(processNames.map((name) => installation.start(name)));
  await untilReady(processes);
  const product = productOf({ infrastructure, installation }, processes);
  const bench = { product, floors, report };
  await wait(1_000);
  report.add('RSS idle', product.rssMb());
  await benchFirstToken(bench);
  await benchTwentyAtOnce(bench);
  await benchRelay(bench, 100);
  await benchSecondBrowser(bench);
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
