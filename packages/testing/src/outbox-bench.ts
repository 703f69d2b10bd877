import { organisationUpdated, topics } from '@parley/contracts';
import { MemoryDoorbell } from '@parley/platform/doorbell';
import type { EventBus } from '@parley/platform/event-bus';
import { Mongo, type Transaction } from '@parley/platform/mongo';
import { Outbox, OutboxRelay, type OutboxRelayOptions } from '@parley/platform/outbox';
import { job, Work } from '@parley/platform/work';
import type { OrgId } from '@parley/protocol';
import { silentLogger } from './builders.ts';
import type { EventLog, MakeEventLog } from './bus-harness.ts';
import type { TestStore } from './test-store.ts';

/** A service's database with its outbox and a bus, on which relays are started and ended. */
export class OutboxBench {
  bus!: EventBus;
  private readonly work: Work;
  private readonly doorbell = new MemoryDoorbell();
  private readonly relays: OutboxRelay[] = [];

  private constructor(
    private readonly log: EventLog,
    readonly mongo: Mongo,
    private readonly openOtherLog: () => Promise<EventLog>,
  ) {
    this.work = new Work({ outbox: new Outbox({ mongo, doorbell: this.doorbell, source: 'org' }) });
  }

  static async make(store: TestStore, makeLog: MakeEventLog): Promise<OutboxBench> {
    const mongo = await Mongo.connect(store.freshDatabase(), { link: store.link });
    const bench = new OutboxBench(await makeLog(store), mongo, () => makeLog(store));
    await bench.reopenBus();
    return bench;
  }

  /** Counts the shards of each relay. */
  async shardsHeld(): Promise<number[]> {
    const live = { _id: { $lt: 16 }, leaseUntil: { $gt: new Date() } };
    const rows = await this.mongo.connection
      .collection<{ _id: number; owner: string }>('outbox_shards')
      .find(live as never)
      .toArray();
    return Object.values(Object.groupBy(rows, ({ owner }) => owner)).map((own) => own?.length ?? 0);
  }

  async startRelay(options: Partial<OutboxRelayOptions> = {}): Promise<OutboxRelay> {
    const relay = new OutboxRelay({
      mongo: this.mongo,
      bus: this.bus,
      doorbell: this.doorbell,
      source: 'org',
      logger: silentLogger(),
      ...options,
    });
    this.relays.push(relay);
    await this.mongo.applyIndexes();
    relay.start();
    return relay;
  }

  /** A unit of work as a service runs it. */
  run<Result>(act: (tx: Transaction) => Promise<Result>): Promise<Result> {
    return this.work.run(job('tests the outbox'), act);
  }

  /** As `run`, and throws when the events are written. */
  async runAndUndo(act: (tx: Transaction) => Promise<unknown>): Promise<void> {
    this.work.accompany(() => Promise.reject(new Error('undone')));
    const undone = await this.run(act).catch((error: unknown) => error);
    this.work.accompany(() => Promise.resolve());
    if ((undone as Error).message !== 'undone') throw undone;
  }

  record(orgId: OrgId, version: number, sequence?: number): Promise<void> {
    return this.run(async (tx) =>
      tx.record(organisationUpdated, { orgId, version }, sequence === undefined ? {} : { sequence }),
    );
  }

  async recordAll(orgId: OrgId, versions: readonly number[]): Promise<void> {
    for (const version of versions) await this.record(orgId, version);
  }

  /** The same log again, after its bus was closed. */
  async reopenBus(): Promise<void> {
    this.bus = await this.log.open();
  }

  /** A bus of another log, on which nothing can be published any more. */
  async closedBus(): Promise<EventBus> {
    const closed = await (await this.openOtherLog()).open();
    await closed.publish(topics.org, []);
    await closed.close();
    return closed;
  }

  async stopRelays(): Promise<void> {
    for (const relay of this.relays.splice(0)) await relay.close();
  }

  async close(): Promise<void> {
    await this.stopRelays();
    await this.bus.close();
    await this.mongo.close();
  }
}
