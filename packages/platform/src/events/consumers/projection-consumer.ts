import type { EventEnvelope } from '@parley/protocol';
import type { ClientSession } from 'mongoose';
import type { RecordingTransaction } from '../work/recording-transaction.ts';
import { Consumer, type ConsumedEvent, type ConsumerSurroundings, type Stretch } from './consumer.ts';
import type { ProjectionHandler } from './consumer-handlers.ts';
import { KeyFreed } from './parked-keys.ts';

/** Runs a projection: what it wrote and how far it came commit together. */
export class ProjectionConsumer extends Consumer {
  constructor(
    surroundings: ConsumerSurroundings,
    private readonly projection: ProjectionHandler,
  ) {
    super(surroundings, projection);
  }

  protected async takeStretch(stretch: Stretch): Promise<void> {
    const { commit } = this.surroundings;
    const parked = await this.parkedKeys.among(stretch.events.map(({ event }) => event.subject));
    const isOutage = this.surroundings.health.attempt();
    try {
      await commit((tx) => this.fold(stretch, parked, tx));
    } catch (error) {
      if (error instanceof KeyFreed || isOutage(error)) throw error;
      await this.foldSingly(stretch, parked);
    }
    await this.surroundings.failpoint('effect-committed');
  }

  async takeParked(event: EventEnvelope, tx: RecordingTransaction): Promise<void> {
    await this.projection.fold([event], tx);
  }

  private async fold(stretch: Stretch, parked: ReadonlySet<string>, tx: RecordingTransaction): Promise<void> {
    const fresh = await this.aboveOffset(stretch, tx.session);
    if (fresh.length === 0) return;
    const free = fresh.filter(({ event }) => !parked.has(event.subject));
    if (free.length > 0)
      await this.projection.fold(
        free.map(({ event }) => event),
        tx,
      );
    for (const { event, logged } of fresh)
      if (parked.has(event.subject)) await this.parkedKeys.append(logged, tx.session);
    await this.keepOffset(stretch, fresh.at(-1)!, tx.session);
  }

  private async foldSingly(stretch: Stretch, parked: Set<string>): Promise<void> {
    const { commit, store } = this.surroundings;
    for (const consumed of stretch.events) {
      const single = { ...stretch, events: [consumed] };
      const isOutage = this.surroundings.health.attempt();
      try {
        await commit((tx) => this.fold(single, parked, tx));
      } catch (error) {
        if (error instanceof KeyFreed || isOutage(error)) throw error;
        const fate = await store.mongo.transaction(async (session) => {
          await this.keepOffset(stretch, consumed, session);
          return this.setAside({ logged: consumed.logged, error }, session);
        });
        if (fate === 'parked') parked.add(consumed.event.subject);
      }
    }
  }

  private async aboveOffset(stretch: Stretch, session: ClientSession): Promise<readonly ConsumedEvent[]> {
    const row = await this.surroundings.store.offsets.findById(this.offsetIdOf(stretch), null, { session }).lean();
    if (!row) return stretch.events;
    const folded = BigInt(row.offset);
    return stretch.events.filter(({ logged }) => BigInt(logged.offset) > folded);
  }

  private async keepOffset(stretch: Stretch, last: ConsumedEvent, session: ClientSession): Promise<void> {
    await this.surroundings.store.offsets.updateOne(
      { _id: this.offsetIdOf(stretch) },
      { $set: { offset: last.logged.offset } },
      { upsert: true, session },
    );
  }

  private offsetIdOf({ topic, partition }: Stretch): string {
    return `${this.projection.consumer}|${topic}|${partition}`;
  }
}
