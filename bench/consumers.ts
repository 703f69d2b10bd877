// From the broker into handlers: live, in a burst, and out of a backlog; each beside a bare client of the broker.
import { topics } from '@parley/contracts';
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Metric } from './budgets.ts';
import type { Done, Task, Told } from './consumer-process.ts';
import { makeEvents, makeLog, openBus, publishAll, type EventLog } from './event-log.ts';
import { atPace, percentile } from './product.ts';
import type { Report } from './report.ts';

export type EventStores = {
  readonly broker: string;
  /** A database of the name that nobody has used. */ mongoUrlOf(name: string): string;
};

const live = { perSecond: 1_000, seconds: 8, each: 20 };
const burst = 20_000;
const backlog = 100_000;

type Consumer = { run(task: Task): { joined: Promise<void>; done: Promise<Done> }; close(): void };

function startConsumer(): Consumer {
  const child: ChildProcess = fork(join(import.meta.dirname, 'consumer-process.ts'));
  const run = (task: Task) => {
    const joined = Promise.withResolvers<void>();
    const done = Promise.withResolvers<Done>();
    const hear = (told: Told) => {
      if (told === 'joined') return joined.resolve();
      child.off('message', hear);
      done.resolve(told);
    };
    child.on('message', hear);
    void once(child, 'exit').then(() => done.reject(new Error(`the ${task.kind} consumer ended`)));
    child.send(task);
    return { joined: Promise.race([joined.promise, done.promise.then(() => undefined)]), done: done.promise };
  };
  return { run, close: () => void child.kill('SIGKILL') };
}

/** The effect's consumer and the bare one, one after the other, each in a fresh process. */
export async function benchConsumers(stores: EventStores, report: Report): Promise<void> {
  const [effect, bare] = [await consume('effect', stores), await consume('bare', stores)];
  const add = (metric: Metric, of: (figures: Figures) => number) => report.add(metric, of(effect), of(bare));
  add('produce to effect, 1,000 a second, p50', ({ live: { agesMs } }) => percentile(agesMs, 0.5));
  add('produce to effect, 1,000 a second, p99', ({ live: { agesMs } }) => percentile(agesMs, 0.99));
  add('events per core-second, produce to effect', ({ burst: { cpuSeconds } }) => burst / cpuSeconds);
  add('backlog of 100,000, all handled after', ({ backlog: { seconds } }) => seconds);
  add('backlog of 100,000, events per second', ({ backlog: { seconds } }) => backlog / seconds);
  add('backlog of 100,000, events per core-second', ({ backlog: { cpuSeconds } }) => backlog / cpuSeconds);
}

type Figures = { readonly live: Done; readonly burst: Done; readonly backlog: Done };

async function consume(kind: Task['kind'], { broker, mongoUrlOf }: EventStores): Promise<Figures> {
  const consumer = startConsumer();
  const taskOf = async (phase: string, count: number): Promise<Task> => ({
    kind,
    count,
    log: await makeLog(broker, `bench-${kind}-${phase}.`),
    mongoUrl: mongoUrlOf(`bench_${phase}`),
  });
  try {
    const [living, bursting, lying] = [
      await taskOf('live', live.perSecond * live.seconds),
      await taskOf('burst', burst),
      await taskOf('backlog', backlog),
    ];
    const lived = await whilePublishing(consumer.run(living), () => publishLive(living.log));
    const burstDone = await whilePublishing(consumer.run(bursting), () => publish(bursting.log, burst));
    await publish(lying.log, backlog);
    return { live: lived, burst: burstDone, backlog: await consumer.run(lying).done };
  } finally {
    consumer.close();
  }
}

async function whilePublishing(
  { joined, done }: ReturnType<Consumer['run']>,
  publishing: () => Promise<void>,
): Promise<Done> {
  await joined;
  const [handled] = await Promise.all([done, publishing()]);
  return handled;
}

async function publishLive(log: EventLog): Promise<void> {
  const bus = await openBus(log);
  await atPace({ count: (live.perSecond * live.seconds) / live.each, perSecond: live.perSecond / live.each }, () =>
    bus.publish(topics.org, makeEvents(live.each)),
  );
  await bus.close();
}

async function publish(log: EventLog, count: number): Promise<void> {
  const bus = await openBus(log);
  await publishAll(bus, count);
  await bus.close();
}
