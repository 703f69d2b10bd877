import { topics } from '@parley/contracts';
import {
  ConsumerRuntime,
  type ConsumerRuntimeOptions,
  type DeadLetter,
  type EventBus,
  type EventHandler,
} from '@parley/platform/event-bus';
import { MemoryDoorbell } from '@parley/platform/doorbell';
import { Mongo, type Transaction } from '@parley/platform/mongo';
import { Outbox } from '@parley/platform/outbox';
import type { EventEnvelope } from '@parley/protocol';
import { Schema, type Model } from 'mongoose';
import { silentLogger } from './builders.ts';
import type { EventLog, MakeEventLog } from './bus-harness.ts';
import { eventually } from './eventually.ts';
import type { TestStore } from './test-store.ts';

/** What a test handler writes: which consumer saw which event, in the handler's transaction. */
type EffectRow = { consumer: string; eventId: string; subject: string; version: number; at: number };
const effectSchema = new Schema<EffectRow>(
  { consumer: String, eventId: String, subject: String, version: Number, at: Number },
  { collection: 'effects', versionKey: false },
).index({ consumer: 1, at: 1 });

/** A service's database with a bus, on which runtimes are started and ended. */
export class ConsumerBench {
  bus!: EventBus;
  private readonly runtimes: ConsumerRuntime[] = [];
  private written = 0;

  private constructor(
    private readonly log: EventLog,
    readonly mongo: Mongo,
    private readonly effects: Model<EffectRow>,
  ) {}

  static async make(store: TestStore, makeLog: MakeEventLog): Promise<ConsumerBench> {
    const mongo = await Mongo.connect(store.freshDatabase());
    const bench = new ConsumerBench(await makeLog(store), mongo, mongo.model('Effect', effectSchema));
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
    await this.effects.create([{ consumer, eventId: event.id, subject: event.subject, version, at: this.written }], {
      session: tx.session,
    });
  }

  /** Committed effects of a consumer in the order of their writing; of one subject, if given. */
  async versions(consumer: string, subject?: string): Promise<number[]> {
    const rows = await this.effects
      .find(subject === undefined ? { consumer } : { consumer, subject })
      .sort({ at: 1 })
      .lean();
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
