// A consumer group's only member in a process of its own, so that its CPU is told from the rest. Each message of the
// parent is one task.
import { organisationUpdated } from '@parley/contracts';
import { ConsumerRuntime, effectOf } from '@parley/platform/event-bus';
import { kafkaClientOf } from '@parley/platform/event-bus/kafka';
import { MemoryDoorbell } from '@parley/platform/doorbell';
import { Mongo } from '@parley/platform/mongo';
import { Outbox } from '@parley/platform/outbox';
import type { EventEnvelope } from '@parley/protocol';
import { busOptions, openBus, topicOf, type EventLog } from './event-log.ts';

/**
 * Read `count` events of a log from its beginning: `effect` handles them behind the inbox, `bare` is kafkajs that
 * counts.
 */
export type Task = {
  readonly kind: 'effect' | 'bare';
  readonly log: EventLog;
  readonly mongoUrl: string;
  readonly count: number;
};
/** `agesMs`: from the making of each event to its handler. */
export type Done = { readonly seconds: number; readonly cpuSeconds: number; readonly agesMs: number[] };
export type Told = 'joined' | Done;

type Tally = { saw(id: string, madeAtMs: number): void; readonly all: Promise<void>; readonly agesMs: number[] };

/** A transaction may run twice, a batch may come twice: each event counts once. */
function tallyOf(count: number): Tally {
  const seen = new Set<string>();
  const agesMs: number[] = [];
  const { promise: all, resolve } = Promise.withResolvers<void>();
  const saw = (id: string, madeAtMs: number) => {
    if (seen.has(id)) return;
    seen.add(id);
    agesMs.push(Date.now() - madeAtMs);
    if (seen.size === count) resolve();
  };
  return { saw, all, agesMs };
}

/** Throws when not each event has its inbox row at the end. */
async function handleAll({ log, mongoUrl, count }: Task, tally: Tally, joined: () => void): Promise<void> {
  const [mongo, bus] = [await Mongo.connect(mongoUrl), await openBus(log)];
  const runtime = new ConsumerRuntime({
    bus,
    mongo,
    outbox: new Outbox({ mongo, doorbell: new MemoryDoorbell(), source: 'bench' }),
    group: 'effect',
    logger: busOptions(log).logger,
  });
  await mongo.applyIndexes();
  await runtime.start([
    effectOf('bench', organisationUpdated, async (event: EventEnvelope) => tally.saw(event.id, Date.parse(event.time))),
  ]);
  joined();
  await tally.all;
  // Finishes what is in hand: only then the last transactions are committed.
  await runtime.close();
  const rows = await mongo.connection.collection('event_inbox').countDocuments();
  if (rows !== count) throw new Error(`${count} events were handled, and ${rows} are in the inbox.`);
  await bus.close();
  await mongo.close();
}

async function countAll({ log }: Task, tally: Tally, joined: () => void): Promise<void> {
  const consumer = kafkaClientOf(busOptions(log)).consumer({ groupId: `${log.prefix}bare`, maxWaitTimeInMs: 250 });
  consumer.on(consumer.events.GROUP_JOIN, joined);
  await consumer.connect();
  await consumer.subscribe({ topics: [topicOf(log)], fromBeginning: true });
  await consumer.run({
    partitionsConsumedConcurrently: 4,
    eachBatch: async ({ batch }) => {
      for (const { offset, timestamp } of batch.messages) tally.saw(`${batch.partition}|${offset}`, Number(timestamp));
    },
  });
  await tally.all;
  await consumer.disconnect();
}

async function carryOut(task: Task): Promise<void> {
  const tally = tallyOf(task.count);
  const [startedAt, cpuBefore] = [performance.now(), process.cpuUsage()];
  await (task.kind === 'effect' ? handleAll : countAll)(task, tally, () => process.send?.('joined' satisfies Told));
  const { user, system } = process.cpuUsage(cpuBefore);
  process.send?.({
    seconds: (performance.now() - startedAt) / 1_000,
    cpuSeconds: (user + system) / 1e6,
    agesMs: tally.agesMs,
  } satisfies Told);
}

process.on('message', (task: Task) => void carryOut(task));
process.once('disconnect', () => process.exit(0));
