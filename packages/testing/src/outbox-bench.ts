import { organisationUpdated, topics, type OrgId } from '@parley/contracts';
import { MemoryDoorbell } from '@parley/platform/doorbell';
import type { EventBus } from '@parley/platform/event-bus';
import { Mongo } from '@parley/platform/mongo';
import { MongoOutbox, OutboxRelay, type OutboxRelayOptions } from '@parley/platform/outbox';
import { silentLogger } from './builders.ts';
import type { EventLog, MakeEventLog } from './bus-harness.ts';
import type { TestStore } from './test-store.ts';

/** A service's database with its outbox and a bus, on which relays are started and ended. */
export class OutboxBench {
  bus!: EventBus;
  readonly outbox: MongoOutbox;
  private readonly doorbell = new MemoryDoorbell();
  private readonly relays: OutboxRelay[] = [];

  private constructor(
    private readonly log: EventLog,
    readonly mongo: Mongo,
    private readonly openOtherLog: () => Promise<EventLog>,
  ) {
    this.outbox = new MongoOutbox({ mongo, doorbell: this.doorbell, source: 'org' });
  }

  static async make(store: TestStore, makeLog: MakeEventLog): Promise<OutboxBench> {
    const mongo = await Mongo.connect(store.freshDatabase());
    const bench = new OutboxBench(await makeLog(store), mongo, () => makeLog(store));
    await bench.reopenBus();
    return bench;
  }

  async startRelay(options: Partial<OutboxRelayOptions> = {}): Promise<OutboxRelay> {
    const relay = new OutboxRelay({
      mongo: this.mongo,
      bus: this.bus,
      doorbell: this.doorbell,
      source: 'org',
      logger: silentLogger(),
      isAlone: true,
      ...options,
    });
    this.relays.push(relay);
    await this.mongo.applyIndexes();
    relay.start();
    return relay;
  }

  record(orgId: OrgId, version: number, sequence?: number): Promise<void> {
    return this.mongo.transaction((tx) =>
      this.outbox.add(tx, {
        definition: organisationUpdated,
        subject: orgId,
        tenantId: orgId,
        data: { orgId, version },
        ...(sequence && { sequence }),
      }),
    );
  }

  async recordAll(orgId: OrgId, versions: readonly number[]): Promise<void> {
    for (const version of versions) await this.record(orgId, version);
    this.outbox.wake();
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

  async close(): Promise<void> {
    for (const relay of this.relays) await relay.close();
    await this.bus.close();
    await this.mongo.close();
  }
}
