import { reads, type EventEnvelope } from '@parley/protocol';
import type { ClientSession } from 'mongoose';
import type { Logger } from '../../base/logging/index.ts';
import { ErrorTest } from '../../ports/reporter/error-test.ts';
import type { RecordingTransaction } from '../work/recording-transaction.ts';
import type { EventBatch } from '../event-bus/event-bus.ts';
import type { ConsumerStore, Failure } from './consumer-store.ts';
import { EventRejected, type EventHandler } from './consumer-handlers.ts';
import type { LoggedEvent } from './consumer.schema.ts';
import { ParkedKeys } from './parked-keys.ts';
import type { StoreHealth } from './store-health.ts';

/** What a consumer could not handle, and why. */
export type NewDeadLetter = { readonly consumer: string; readonly error: unknown; readonly envelope: string };

/** What all consumers of a service share. */
export type ConsumerSurroundings = {
  readonly store: ConsumerStore;
  readonly health: StoreHealth;
  readonly logger: Logger;
  /** The service that handles the events. */
  readonly service: string;
  /** Runs handlers in one transaction and publishes what they record. */
  readonly commit: <Result>(act: (tx: RecordingTransaction) => Promise<Result>) => Promise<Result>;
  /** Runs `take` after all that was given before, whichever consumer of the service gave it. */
  readonly inTurn: (take: () => Promise<void>) => Promise<void>;
  readonly retryDelaysMs: readonly [number, ...number[]];
  readonly failpoint: (name: 'effect-committed') => Promise<void>;
  /** Somebody is told that an event became a dead letter. */
  readonly onDeadLetter: (letter: NewDeadLetter) => void;
  /** Somebody is to look at the parked keys after that time. */
  readonly retryIn: (ms: number) => void;
};

/** An event with its data checked, and where it stood. */
export type ConsumedEvent = { readonly event: EventEnvelope; readonly logged: LoggedEvent };
export type Stretch = Pick<EventBatch, 'topic' | 'partition'> & { readonly events: readonly ConsumedEvent[] };

/** One handler on its way through the log. */
export abstract class Consumer {
  protected readonly parkedKeys: ParkedKeys;

  protected constructor(
    protected readonly surroundings: ConsumerSurroundings,
    readonly handler: EventHandler,
  ) {
    this.parkedKeys = new ParkedKeys(surroundings.store, handler.consumer);
  }

  /** Resolves when each event was handled, parked or buried. Rejects on a store outage only. */
  protected abstract takeStretch(stretch: Stretch): Promise<void>;
  /** Handles one event that had been parked, inside the transaction that takes it from the parked list. */
  abstract takeParked(event: EventEnvelope, tx: RecordingTransaction): Promise<void>;

  async take(batch: EventBatch): Promise<void> {
    const events: ConsumedEvent[] = [];
    const seen = new Set<string>();
    for (const { offset, event } of batch.events) {
      const definition = this.handler.events.find((candidate) => reads(candidate, event.type));
      if (!definition || seen.has(event.id)) continue;
      seen.add(event.id);
      const logged = toLogged(batch, { offset, event });
      try {
        events.push({ event: definition.parse(event), logged });
      } catch (error) {
        await this.reject({ logged, error });
      }
    }
    if (events.length > 0) await this.takeStretch({ topic: batch.topic, partition: batch.partition, events });
  }

  /** Checks an event that was kept as text. */
  async retake(envelope: string, tx: RecordingTransaction): Promise<void> {
    const event = JSON.parse(envelope) as EventEnvelope;
    const definition = this.handler.events.find((candidate) => reads(candidate, event.type));
    if (!definition) throw new EventRejected(`${this.handler.consumer} does not handle ${event.type} any more.`);
    await this.takeParked(definition.parse(event), tx);
  }

  private tellOf({ error, logged: { envelope } }: Failure): void {
    this.surroundings.onDeadLetter({ consumer: this.handler.consumer, error, envelope });
  }

  private async reject(failure: Failure): Promise<void> {
    this.surroundings.logger.error(
      { err: failure.error, consumer: this.handler.consumer, eventId: failure.logged.eventId },
      'an event does not fit its schema; kept as a dead letter',
    );
    this.tellOf(failure);
    await this.surroundings.store.mongo.transaction((session) =>
      this.parkedKeys.bury(failure, { reason: 'rejected', attempts: 1, key: null }, session),
    );
  }

  /** Buries a rejected event, parks the key of any other. */
  protected async setAside(failure: Failure, session: ClientSession): Promise<'buried' | 'parked'> {
    const { logger, retryDelaysMs } = this.surroundings;
    const context = {
      err: failure.error,
      consumer: this.handler.consumer,
      eventId: failure.logged.eventId,
      type: failure.logged.type,
      traceId: (JSON.parse(failure.logged.envelope) as EventEnvelope).correlationid,
    };
    if (failure.error instanceof ErrorTest) {
      // It was asked for and is told: trying again, a dead letter or a parked key would only have to be tidied away.
      logger.error(context, 'an event failed because somebody tests errors');
      this.tellOf(failure);
      return 'buried';
    }
    if (failure.error instanceof EventRejected) {
      logger.error(context, 'an event was rejected; kept as a dead letter');
      this.tellOf(failure);
      await this.parkedKeys.bury(failure, { reason: 'rejected', attempts: 1, key: null }, session);
      return 'buried';
    }
    logger.warn(context, 'an event failed; its key waits for a retry');
    const [delayMs] = retryDelaysMs;
    await this.parkedKeys.park(failure.logged, new Date(Date.now() + delayMs), session);
    this.surroundings.retryIn(delayMs);
    return 'parked';
  }
}

function toLogged(batch: EventBatch, record: EventBatch['events'][number]): LoggedEvent {
  const { event, offset } = record;
  return {
    eventId: event.id,
    tenant: event.tenantid,
    type: event.type,
    subject: event.subject,
    topic: batch.topic,
    partition: batch.partition,
    offset,
    envelope: JSON.stringify(event),
  };
}
