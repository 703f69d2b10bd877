import { reads, type EventDefinition, type EventEnvelope } from '@parley/protocol';
import type { Logger } from '../../base/logging/index.ts';
import { ErrorTest } from '../../ports/reporter/error-test.ts';
import type { RecordingTransaction } from '../work/recording-transaction.ts';
import type { EventBatch } from '../event-bus/event-bus.ts';
import type { ConsumerStore, Failure, OpenTransaction } from './consumer-store.ts';
import { EventRejected, type EventHandler } from './consumer-handlers.ts';
import type { Inbox } from './inbox.ts';
import { ParkedKeys } from './parked-keys.ts';
import type { ConsumedEvent } from './read-event.ts';
import type { StoreHealth } from './store-health.ts';

/** An event that a consumer couldn't handle, and the error. */
export type NewDeadLetter = { readonly consumer: string; readonly error: unknown; readonly envelope: string };

/** Holds the parts that all consumers of a service share. */
export type ConsumerSurroundings = {
  readonly store: ConsumerStore;
  readonly inbox: Inbox;
  readonly health: StoreHealth;
  readonly logger: Logger;
  /** The service that handles the events. */
  readonly service: string;
  /** Runs handlers in one transaction and publishes the events that they record. */
  readonly commit: <Result>(act: (tx: RecordingTransaction) => Promise<Result>) => Promise<Result>;
  readonly retryDelaysMs: readonly [number, ...number[]];
  readonly failpoint: (name: 'effect-committed') => Promise<void>;
  /** Called when an event becomes a dead letter. */
  readonly onDeadLetter: (letter: NewDeadLetter) => void;
  /** Makes the service look at parked keys again after this many milliseconds. */
  readonly retryIn: (ms: number) => void;
};

/** The events of one partition that a consumer handles in one transaction. */
export type Stretch = Pick<EventBatch, 'topic' | 'partition'> & {
  readonly events: readonly ConsumedEvent[];
  /** Subjects (ordering keys) that are parked for this consumer, so that their events wait. */
  readonly parked: Set<string>;
};

/** Runs one handler over the events of the log, behind the inbox. */
export class Consumer {
  private readonly parkedKeys: ParkedKeys;

  constructor(
    private readonly surroundings: ConsumerSurroundings,
    readonly handler: EventHandler,
  ) {
    this.parkedKeys = new ParkedKeys(surroundings.store, handler.consumer);
  }

  /**
   * Handles events within the transaction. An event whose key is parked isn't handled: it joins the events that wait
   * under the key. Returns the events that the caller has to add to the inbox in the same transaction.
   */
  async handle({ events, parked }: Stretch, tx: RecordingTransaction): Promise<readonly EventEnvelope[]> {
    const free = events.map(({ event }) => event).filter(({ subject }) => !parked.has(subject));
    if (free.length > 0) await this.runOn(free, tx);
    const waiting = events.filter(({ event }) => parked.has(event.subject));
    for (const { logged } of waiting) await this.parkedKeys.append(logged, tx);
    return free;
  }

  /** Returns the events that this consumer hasn't handled yet, according to the inbox. */
  async withoutHandled(events: readonly ConsumedEvent[]): Promise<readonly ConsumedEvent[]> {
    const { inbox, logger } = this.surroundings;
    const { consumer } = this.handler;
    const handled = await inbox.handledBy(
      consumer,
      events.map(({ event }) => event.id),
    );
    for (const { event } of events) {
      const { id: eventId, type, correlationid: traceId } = event;
      if (handled.has(eventId)) logger.info({ consumer, eventId, type, traceId }, 'an event came again');
    }
    return events.filter(({ event }) => !handled.has(event.id));
  }

  /** Returns the handler's limit of events per transaction, set if it changes contended rows; undefined otherwise. */
  get mostTogether(): number | undefined {
    return this.handler.kind === 'effect' ? this.handler.mostTogether : undefined;
  }

  mayComeAgain({ type }: EventEnvelope): boolean {
    return this.handler.events.some((definition) => definition.type === type && definition.identity !== null);
  }

  /** Returns the definition by which the handler reads an event type; undefined if it handles none. */
  definitionOf(type: string): EventDefinition | undefined {
    return this.handler.events.find((candidate) => reads(candidate, type));
  }

  /** Makes a rejected event a dead letter, and parks the key of any other failed event. */
  async giveUpOn(stretch: Stretch, failed: ConsumedEvent, error: unknown): Promise<void> {
    const failure = { logged: failed.logged, error };
    const fate = await this.surroundings.store.transaction((tx) => this.setAside(failure, tx));
    if (fate === 'parked') stretch.parked.add(failed.event.subject);
  }

  /**
   * Handles an event from its stored text, unless the inbox says that it was handled. Throws `EventRejected` if the
   * handler doesn't handle its type any more.
   */
  async retake(envelope: string, tx: RecordingTransaction): Promise<void> {
    const { inbox } = this.surroundings;
    const { consumer } = this.handler;
    const stored = JSON.parse(envelope) as EventEnvelope;
    const definition = this.definitionOf(stored.type);
    if (!definition) throw new EventRejected(`${consumer} does not handle ${stored.type} any more.`);
    const event = definition.parse(stored);
    const handled = await inbox.handledBy(consumer, [event.id], tx);
    if (handled.size > 0) return;
    await this.runOn([event], tx);
    const mayComeAgain = this.mayComeAgain(event);
    await inbox.add([{ eventId: event.id, consumers: [consumer], mayComeAgain }], false, tx);
  }

  private async runOn(events: readonly EventEnvelope[], tx: RecordingTransaction): Promise<void> {
    const { handler } = this;
    const { service } = this.surroundings;
    if (handler.kind === 'batch') await handler.handleAll(events, tx);
    else for (const event of events) await tx.handling(event, service, (own) => handler.handle(event, own));
  }

  /** Keeps an event that doesn't match its schema as a dead letter. */
  async reject(failure: Failure): Promise<void> {
    this.surroundings.logger.error(
      { err: failure.error, consumer: this.handler.consumer, eventId: failure.logged.eventId },
      'an event does not fit its schema; kept as a dead letter',
    );
    this.tellOf(failure);
    await this.surroundings.store.transaction((tx) =>
      this.parkedKeys.bury(failure, { reason: 'rejected', attempts: 1, key: null }, tx),
    );
  }

  private tellOf({ error, logged: { envelope } }: Failure): void {
    this.surroundings.onDeadLetter({ consumer: this.handler.consumer, error, envelope });
  }

  private async setAside(failure: Failure, tx: OpenTransaction): Promise<'buried' | 'parked'> {
    const { logger, retryDelaysMs } = this.surroundings;
    const context = {
      err: failure.error,
      consumer: this.handler.consumer,
      eventId: failure.logged.eventId,
      type: failure.logged.type,
      traceId: (JSON.parse(failure.logged.envelope) as EventEnvelope).correlationid,
    };
    if (failure.error instanceof ErrorTest) {
      // Ends the event here, because someone asked for this error: a retry, a dead letter or a parked key would only
      // need tidying up.
      logger.error(context, 'an event failed because somebody tests errors');
      this.tellOf(failure);
      return 'buried';
    }
    if (failure.error instanceof EventRejected) {
      logger.error(context, 'an event was rejected; kept as a dead letter');
      this.tellOf(failure);
      await this.parkedKeys.bury(failure, { reason: 'rejected', attempts: 1, key: null }, tx);
      return 'buried';
    }
    logger.warn(context, 'an event failed; its key waits for a retry');
    const [delayMs] = retryDelaysMs;
    await this.parkedKeys.park(failure.logged, new Date(Date.now() + delayMs), tx);
    this.surroundings.retryIn(delayMs);
    return 'parked';
  }
}
