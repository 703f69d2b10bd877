import type { EventEnvelope } from '@parley/protocol';
import type { RecordingTransaction } from '../work/recording-transaction.ts';
import { Consumer, type ConsumerSurroundings, type Stretch } from './consumer.ts';
import type { BatchHandler, EffectHandler } from './consumer-handlers.ts';
import type { ConsumedEvent } from './read-event.ts';

/** Runs an effect handler or a batch handler behind the inbox. */
export class EffectConsumer extends Consumer {
  constructor(
    surroundings: ConsumerSurroundings,
    private readonly effect: EffectHandler | BatchHandler,
  ) {
    super(surroundings, effect);
  }

  async handle({ events, parked }: Stretch, tx: RecordingTransaction): Promise<readonly EventEnvelope[]> {
    const free = events.map(({ event }) => event).filter(({ subject }) => !parked.has(subject));
    if (free.length > 0) await this.runOn(free, tx);
    await this.append(
      events.filter(({ event }) => parked.has(event.subject)),
      tx,
    );
    return free;
  }

  async withoutHandled(events: readonly ConsumedEvent[]): Promise<readonly ConsumedEvent[]> {
    const { inbox, logger } = this.surroundings;
    const { consumer } = this.effect;
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

  protected async takeParked(event: EventEnvelope, tx: RecordingTransaction): Promise<void> {
    const { inbox } = this.surroundings;
    const { consumer } = this.effect;
    const handled = await inbox.handledBy(consumer, [event.id], tx);
    if (handled.size > 0) return;
    await this.runOn([event], tx);
    const mayComeAgain = this.mayComeAgain(event);
    await inbox.add([{ eventId: event.id, consumers: [consumer], mayComeAgain }], false, tx);
  }

  /** Does nothing: the inbox has no position. If the event comes again with its batch, it is set aside again. */
  protected async passOver(): Promise<void> {}

  private async runOn(events: readonly EventEnvelope[], tx: RecordingTransaction): Promise<void> {
    const { effect } = this;
    const { service } = this.surroundings;
    if (effect.kind === 'batch') await effect.handleAll(events, tx);
    else for (const event of events) await tx.handling(event, service, (own) => effect.handle(event, own));
  }
}
