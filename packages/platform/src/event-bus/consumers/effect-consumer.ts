import type { EventEnvelope } from '@parley/contracts';
import type { Transaction } from '../../mongo/index.ts';
import { Consumer, type ConsumedEvent, type ConsumerSurroundings, type Stretch } from './consumer.ts';
import type { EffectHandler } from './consumer-handlers.ts';
import { inboxId } from './consumer-store.ts';

const largestTransaction = 64;

/** Runs an effect handler behind the inbox. */
export class EffectConsumer extends Consumer {
  constructor(surroundings: ConsumerSurroundings, private readonly effect: EffectHandler) {
    super(surroundings, effect);
  }

  protected async takeStretch(stretch: Stretch): Promise<void> {
    for (let start = 0; start < stretch.events.length; start += largestTransaction) {
      await this.takeChunk(stretch.events.slice(start, start + largestTransaction));
    }
  }

  async takeParked(event: EventEnvelope, tx: Transaction): Promise<void> {
    const isHandled = await this.surroundings.store.inbox.exists({ _id: this.inboxIdOf(event) }).session(tx);
    if (!isHandled) await this.handleAll([event], tx);
  }

  private async takeChunk(events: readonly ConsumedEvent[]): Promise<void> {
    const fresh = await this.withoutHandled(events);
    if (fresh.length === 0) return;
    const parked = await this.parkedKeys.among(fresh.map(({ event }) => event.subject));
    const free = parked.size === 0 ? fresh : fresh.filter(({ event }) => !parked.has(event.subject));
    if (free.length === 1 || !(await this.tryTogether(free))) await this.takeSingly(free, parked);
    if (free !== fresh) await this.append(fresh.filter((consumed) => !free.includes(consumed)));
    await this.surroundings.failpoint('effect-committed');
  }

  private async withoutHandled(events: readonly ConsumedEvent[]): Promise<readonly ConsumedEvent[]> {
    const rows = await this.surroundings.store.inbox.find({ _id: { $in: events.map(({ event }) => this.inboxIdOf(event)) } }, { _id: 1 }).lean();
    if (rows.length === 0) return events;
    const handled = new Set(rows.map((row) => row._id));
    return events.filter(({ event }) => !handled.has(this.inboxIdOf(event)));
  }

  private async tryTogether(events: readonly ConsumedEvent[]): Promise<boolean> {
    if (events.length === 0) return true;
    const isOutage = this.surroundings.health.attempt();
    try {
      await this.surroundings.store.mongo.transaction((tx) => this.handleAll(events.map(({ event }) => event), tx));
      return true;
    } catch (error) {
      if (isOutage(error)) throw error;
      return false;
    }
  }

  private async takeSingly(events: readonly ConsumedEvent[], parked: Set<string>): Promise<void> {
    const { mongo } = this.surroundings.store;
    for (const consumed of events) {
      if (parked.has(consumed.event.subject)) await this.append([consumed]);
      else {
        const isOutage = this.surroundings.health.attempt();
        try {
          await mongo.transaction((tx) => this.handleAll([consumed.event], tx));
        } catch (error) {
          if (isOutage(error)) throw error;
          if ((await this.withoutHandled([consumed])).length === 0) continue; // Another process was faster.
          const fate = await mongo.transaction((tx) => this.setAside({ logged: consumed.logged, error }, tx));
          if (fate === 'parked') parked.add(consumed.event.subject);
        }
      }
    }
  }

  private async append(events: readonly ConsumedEvent[]): Promise<void> {
    await this.surroundings.store.mongo.transaction(async (tx) => {
      for (const { logged } of events) await this.parkedKeys.append(logged, tx);
    });
  }

  private async handleAll(events: readonly EventEnvelope[], tx: Transaction): Promise<void> {
    for (const event of events) await this.effect.handle(event, tx);
    const at = new Date();
    await this.surroundings.store.inbox.insertMany(events.map((event) => ({ _id: this.inboxIdOf(event), at })), { session: tx, lean: true });
  }

  private inboxIdOf(event: EventEnvelope): string {
    return inboxId(this.effect.consumer, event.id);
  }
}
