// From a service's commit to the broker's word that it has the event.
import { organisationUpdated } from '@parley/contracts';
import { RedisDoorbell } from '@parley/platform/doorbell/redis';
import { EventBus, type RunningSubscription, type Subscription } from '@parley/platform/event-bus';
import { kafkaClientOf, type KafkaEventBus } from '@parley/platform/event-bus/kafka';
import { newId } from '@parley/platform/ids';
import { Mongo } from '@parley/platform/mongo';
import { Outbox, OutboxRelay } from '@parley/platform/outbox';
import { job, Work } from '@parley/platform/work';
import type { EventEnvelope, OrgId, Topic } from '@parley/protocol';
import type { EventStores } from './consumers.ts';
import { busOptions, makeEvents, makeLog, openBus, topicOf, type EventLog } from './event-log.ts';
import { atPace, percentile } from './product.ts';
import type { Report } from './report.ts';

type Stores = EventStores & { readonly redisUrl: string };

const warmUp = 50;
const pace = { count: 500 + warmUp, perSecond: 50 };

/** The bus of the relay; tells when the broker has acknowledged an event of a subject. */
class AckedEventBus extends EventBus {
  private readonly waiting = new Map<string, () => void>();

  constructor(private readonly bus: KafkaEventBus) {
    super();
  }

  acked(subject: string): Promise<void> {
    return new Promise((resolve) => this.waiting.set(subject, resolve));
  }

  async publish(topic: Topic, events: readonly EventEnvelope[]): Promise<void> {
    await this.bus.publish(topic, events);
    for (const { subject } of events) this.waiting.get(subject)?.();
  }

  subscribe(subscription: Subscription): Promise<RunningSubscription> {
    return this.bus.subscribe(subscription);
  }

  close(): Promise<void> {
    return this.bus.close();
  }
}

/**
 * Outbox and relay as a service runs them, in this process; the floor is one send of a bare producer with the same
 * record.
 */
export async function benchOutbox(stores: Stores, report: Report): Promise<void> {
  const log = await makeLog(stores.broker, 'bench-outbox.');
  const bare = await bareSends(log);
  const outbox = await commits(log, stores);
  report.add('commit to broker ack, 50 a second, p50', percentile(outbox, 0.5), percentile(bare, 0.5));
  report.add('commit to broker ack, 50 a second, p99', percentile(outbox, 0.99), percentile(bare, 0.99));
}

async function commits(log: EventLog, { mongoUrlOf, redisUrl }: Stores): Promise<number[]> {
  const mongo = await Mongo.connect(mongoUrlOf('bench_outbox'));
  const { logger } = busOptions(log);
  const doorbell = await RedisDoorbell.connect({ url: redisUrl, logger });
  const bus = new AckedEventBus(await openBus(log));
  const work = new Work({ outbox: new Outbox({ mongo, doorbell, source: 'org' }) });
  const relay = new OutboxRelay({ mongo, bus, doorbell, source: 'org', logger });
  await mongo.applyIndexes();
  relay.start();
  const times = await atPace(pace, async () => {
    const orgId: OrgId = newId('organisation');
    const acked = bus.acked(orgId);
    await work.run(job('measures'), async (tx) => tx.record(organisationUpdated, { orgId, version: 1 }));
    const committedAt = performance.now();
    await acked;
    return performance.now() - committedAt;
  });
  await relay.close();
  await bus.close();
  await doorbell.close();
  await mongo.close();
  return times.slice(warmUp);
}

async function bareSends(log: EventLog): Promise<number[]> {
  const producer = kafkaClientOf(busOptions(log)).producer({ allowAutoTopicCreation: false });
  await producer.connect();
  const times = await atPace(pace, async () => {
    const [event] = makeEvents(1);
    const { data, subject, id, type, time } = event!;
    const startedAt = performance.now();
    await producer.send({
      topic: topicOf(log),
      acks: -1,
      messages: [{ key: subject, value: JSON.stringify(data), headers: { ce_id: id, ce_type: type, ce_time: time } }],
    });
    return performance.now() - startedAt;
  });
  await producer.disconnect();
  return times.slice(warmUp);
}
