import { topics } from '@parley/contracts';
import {
  ConsumerRuntime,
  type ConsumerRuntimeOptions,
  type DeadLetter,
  type EventBus,
  type EventHandler,
} from '@parley/platform/event-bus';
import { MemoryDoorbell } from '@parley/platform/doorbell';
import { collection, jobScope, Mongo, type RowOf, type Rows, type Transaction } from '@parley/platform/mongo';
import { Outbox } from '@parley/platform/outbox';
import type { EventEnvelope } from '@parley/protocol';
import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { silentLogger } from './builders.ts';
import type { EventLog, MakeEventLog } from './bus-harness.ts';
import { eventually } from './eventually.ts';
import type { TestStore } from './test-store.ts';

/** What a test handler writes: which consumer saw which event, in the handler's transaction. */
const effectRows = collection(
  'effects',
  {
    _id: z.string(),
    consumer: z.string(),
    eventId: z.string(),
    subject: z.string(),
    version: z.number(),
    at: z.number(),
  },
  { tenant: 'platform', indexes: [{ consumer: 1, at: 1 }] },
);
const scope = jobScope('tests');

/** A service's database with a bus, on which runtimes are started and ended. */
export class ConsumerBench {
  bus!: EventBus;
  private readonly runtimes: ConsumerRuntime[] = [];
  private written = 0;

  private constructor(
    private readonly log: EventLog,
    readonly mongo: Mongo,
    private readonly effects: Rows<typeof effectRows>,
  ) {}

  static async make(store: TestStore, makeLog: MakeEventLog): Promise<ConsumerBench> {
    const mongo = await Mongo.connect(store.freshDatabase(), { link: store.link });
    const bench = new ConsumerBench(await makeLog(store), mongo, mongo.rows(effectRows));
    bench.bus = await bench.log.open();
    return bench;
  }

  /** Retries come after 30 and 60 ms unless given. */
  async run(
    handlers: readonly EventHandler[],
    options: Partial<ConsumerRuntimeOptions> = {},
  ): Promise<ConsumerRuntime> {
    const runtime = new ConsumerRuntime({
      bus: this.bus,
      mongo: this.mongo,
      outbox: new Outbox({ mongo: options.mongo ?? this.mongo, doorbell: new MemoryDoorbell(), source: 'service' }),
      group: 'service',
      logger: silentLogger(),
      retryDelaysMs: [30, 60],
      ...options,
    });
    this.runtimes.push(runtime);
    await (options.mongo ?? this.mongo).applyIndexes();
    await runtime.start(handlers);
    return runtime;
  }

  publish(...events: readonly EventEnvelope[]): Promise<void> {
    return this.bus.publish(topics.org, events);
  }

  /** To be called by handlers: their effect. */
  async write(consumer: string, event: EventEnvelope, tx: Transaction): Promise<void> {
    const version = (event.data as { version?: number }).version ?? 0;
    this.written += 1;
    const { id: eventId, subject } = event;
    const row: RowOf<typeof effectRows> = { _id: randomUUID(), consumer, eventId, subject, version, at: this.written };
    await this.effects.within(scope, tx).insert(row);
  }

  /** Committed effects of a consumer in the order of their writing; of one subject, if given. */
  async versions(consumer: string, subject?: string): Promise<number[]> {
    const rows = await this.effects
      .within(scope)
      .find(subject === undefined ? { consumer } : { consumer, subject }, { sort: { at: 1 } });
    return rows.map((row) => row.version);
  }

  async eventuallyWrote(consumer: string, versions: readonly number[], subject?: string): Promise<void> {
    await eventually(
      async () => JSON.stringify(await this.versions(consumer, subject)) === JSON.stringify(versions),
      `${consumer} wrote ${versions.join(', ')}`,
    ).catch(async (error: Error) => {
      throw new Error(`${error.message}; it wrote ${(await this.versions(consumer, subject)).join(', ')}`, {
        cause: error,
      });
    });
  }

  async eventuallyBuried(runtime: ConsumerRuntime, count: number): Promise<DeadLetter[]> {
    let letters: DeadLetter[] = [];
    await eventually(
      async () => (letters = await runtime.deadLetters.list()).length === count,
      `there are ${count} dead letters`,
    );
    return letters;
  }

  /** Ends everything as a shutdown does, then opens the same log again. */
  async restart(): Promise<void> {
    await this.stopRuntimes();
    await this.bus.close();
    this.bus = await this.log.open();
  }

  async close(): Promise<void> {
    await this.stopRuntimes();
    await this.bus.close();
    await this.mongo.close();
  }

  private async stopRuntimes(): Promise<void> {
    for (const runtime of this.runtimes.splice(0)) await runtime.close();
  }
}
