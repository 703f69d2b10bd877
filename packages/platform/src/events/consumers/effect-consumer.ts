import type { EventEnvelope } from '@parley/protocol';
import type { RecordingTransaction } from '../work/recording-transaction.ts';
import { Consumer, type ConsumedEvent, type ConsumerSurroundings, type Stretch } from './consumer.ts';
import type { BatchHandler, EffectHandler } from './consumer-handlers.ts';
import { inboxId } from './consumer-store.ts';

const largestTransaction = 64;
type Thrown = { readonly error: unknown };

/** Runs an effect handler, or one of batches, behind the inbox. */
export class EffectConsumer extends Consumer {
  constructor(
    surroundings: ConsumerSurroundings,
    private readonly effect: EffectHandler | BatchHandler,
  ) {
    super(surroundings, effect);
  }

  protected async takeStretch(stretch: Stretch): Promise<void> {
    const mostTogether = this.effect.kind === 'effect' ? this.effect.mostTogether : undefined;
    const most = mostTogether ?? largestTransaction;
    for (let start = 0; start < stretch.events.length; start += most) {
      const chunk = stretch.events.slice(start, start + most);
      const take = () => this.takeChunk(chunk);
      await (mostTogether === undefined ? take() : this.surroundings.inTurn(take));
    }
  }

  async takeParked(event: EventEnvelope, tx: RecordingTransaction): Promise<void> {
    const isHandled = await this.surroundings.store.inbox.exists({ _id: this.inboxIdOf(event) }).session(tx.session);
    if (!isHandled) await this.handleAll([event], tx);
  }

  /**
   * Nearly all events come once and fit, so they are tried before anything is looked up: the inbox refuses what was
   * handled.
   */
  private async takeChunk(events: readonly ConsumedEvent[]): Promise<void> {
    const parked = await this.parkedKeys.among(events.map(({ event }) => event.subject));
    const failure = parked.size > 0 ? null : await this.tryTogether(events);
    if (failure || parked.size > 0) await this.takeApart(events, parked, failure);
    await this.surroundings.failpoint('effect-committed');
  }

  private async takeApart(
    events: readonly ConsumedEvent[],
    parked: Set<string>,
    failure: Thrown | null,
  ): Promise<void> {
    const fresh = await this.withoutHandled(events);
    const free = fresh.filter(({ event }) => !parked.has(event.subject));
    const waiting = fresh.filter((consumed) => !free.includes(consumed));
    const [only] = free;
    if (failure && events.length === 1 && only) await this.giveUpOn(only, parked, failure);
    else if (free.length === 1 || (free.length > 0 && (await this.tryTogether(free))))
      await this.takeSingly(free, parked);
    if (waiting.length > 0) await this.append(waiting);
  }

  private async withoutHandled(events: readonly ConsumedEvent[]): Promise<readonly ConsumedEvent[]> {
    const rows = await this.surroundings.store.inbox
      .find({ _id: { $in: events.map(({ event }) => this.inboxIdOf(event)) } }, { _id: 1 })
      .lean();
    if (rows.length === 0) return events;
    const handled = new Set(rows.map((row) => row._id));
    const isHandled = ({ event }: ConsumedEvent): boolean => handled.has(this.inboxIdOf(event));
    for (const { event } of events.filter(isHandled)) {
      const { id: eventId, type, correlationid: traceId } = event;
      this.surroundings.logger.info({ consumer: this.handler.consumer, eventId, type, traceId }, 'an event came again');
    }
    return events.filter((consumed) => !isHandled(consumed));
  }

  /** Null when all are handled; why not otherwise. Rejects when the store is to blame. */
  private async tryTogether(events: readonly ConsumedEvent[]): Promise<Thrown | null> {
    const isOutage = this.surroundings.health.attempt();
    try {
      await this.surroundings.commit((tx) =>
        this.handleAll(
          events.map(({ event }) => event),
          tx,
        ),
      );
      return null;
    } catch (error) {
      if (isOutage(error)) throw error;
      return { error };
    }
  }

  private async takeSingly(events: readonly ConsumedEvent[], parked: Set<string>): Promise<void> {
    for (const consumed of events) {
      if (parked.has(consumed.event.subject)) await this.append([consumed]);
      else {
        const failure = await this.tryTogether([consumed]);
        // Another process may have been faster.
        if (failure && (await this.withoutHandled([consumed])).length > 0)
          await this.giveUpOn(consumed, parked, failure);
      }
    }
  }

  private async giveUpOn({ event, logged }: ConsumedEvent, parked: Set<string>, { error }: Thrown): Promise<void> {
    const fate = await this.surroundings.store.mongo.transaction((session) =>
      this.setAside({ logged, error }, session),
    );
    if (fate === 'parked') parked.add(event.subject);
  }

  private async append(events: readonly ConsumedEvent[]): Promise<void> {
    await this.surroundings.store.mongo.transaction(async (session) => {
      for (const { logged } of events) await this.parkedKeys.append(logged, session);
    });
  }

  private async handleAll(events: readonly EventEnvelope[], tx: RecordingTransaction): Promise<void> {
    const { service } = this.surroundings;
    const { effect } = this;
    if (effect.kind === 'batch') await effect.handleAll(events, tx);
    else for (const event of events) await tx.handling(event, service, (own) => effect.handle(event, own));
    const at = new Date();
    await this.surroundings.store.inbox.insertMany(
      events.map((event) => ({ _id: this.inboxIdOf(event), ...(this.mayComeAgain(event) ? {} : { at }) })),
      { session: tx.session, lean: true },
    );
  }

  private mayComeAgain({ type }: EventEnvelope): boolean {
    return this.effect.events.some((definition) => definition.type === type && definition.identity !== null);
  }

  private inboxIdOf(event: EventEnvelope): string {
    return inboxId(this.effect.consumer, event.id);
  }
}
