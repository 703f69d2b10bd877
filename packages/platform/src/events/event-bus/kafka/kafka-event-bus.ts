import type { EventEnvelope, Topic } from '@parley/protocol';
import type { Admin } from 'kafkajs';
import { EventBus, type RunningSubscription, type Subscription } from '../event-bus.ts';
import { connectAdmin, type KafkaConnection } from './kafka-client.ts';
import { KafkaPublisher } from './kafka-publisher.ts';
import { KafkaSubscription } from './kafka-subscription.ts';

export type KafkaEventBusOptions = KafkaConnection & {
  /** Begins the names of topics and groups, so that several installations can share a cluster. */
  readonly prefix?: string;
  readonly redeliveryMs?: number;
  /** Called when a subscription has ended for good: the process must exit, so that another one takes over. */
  readonly onCrash: (error: Error) => void;
};

/** The event log of the distributed edition, on Apache Kafka. Topics must exist: `applyTopics` creates them. */
export class KafkaEventBus extends EventBus {
  private readonly publisher: KafkaPublisher;
  private readonly subscriptions = new Set<RunningSubscription>();
  private connecting: Promise<Admin> | null = null;
  private isClosed = false;

  private constructor(private readonly options: KafkaEventBusOptions) {
    super();
    this.publisher = new KafkaPublisher(options, (topic) => this.nameOf(topic));
  }

  /** Rejects if no broker answers. */
  static async open(options: KafkaEventBusOptions): Promise<KafkaEventBus> {
    const bus = new KafkaEventBus(options);
    await bus.publisher.open();
    return bus;
  }

  publish(topic: Topic, events: readonly EventEnvelope[]): Promise<void> {
    return this.publisher.publish(topic, events);
  }

  async subscribe(subscription: Subscription): Promise<RunningSubscription> {
    if (this.isClosed) throw new Error('The event bus is closed.');
    const { prefix = '', redeliveryMs = 100, onCrash } = this.options;
    const member = await KafkaSubscription.start({
      connection: this.options,
      subscription,
      group: `${prefix}${subscription.group}`,
      nameOf: (topic) => this.nameOf(topic),
      topicOf: (name) => name.slice(prefix.length) as Topic,
      admin: () => this.admin(),
      redeliveryMs,
      onCrash,
    });
    const running: RunningSubscription = {
      lag: (topic) => member.lag(topic),
      close: () => {
        this.subscriptions.delete(running);
        return member.close();
      },
    };
    this.subscriptions.add(running);
    if (this.isClosed) await running.close();
    return running;
  }

  async close(): Promise<void> {
    if (this.isClosed) return;
    this.isClosed = true;
    await Promise.all([...this.subscriptions].map((subscription) => subscription.close()));
    await this.publisher.close();
    await (await this.connecting?.catch(() => null))?.disconnect();
  }

  private nameOf(topic: Topic): string {
    return `${this.options.prefix ?? ''}${topic}`;
  }

  private admin(): Promise<Admin> {
    this.connecting ??= connectAdmin(this.options).catch((error: unknown) => {
      this.connecting = null;
      throw error;
    });
    return this.connecting;
  }
}
