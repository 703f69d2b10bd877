import type { EventEnvelope } from '@parley/protocol';
import type { RecordingTransaction } from '../work/recording-transaction.ts';
import { Consumer, type ConsumerSurroundings, type Stretch } from './consumer.ts';
import type { ProjectionHandler } from './consumer-handlers.ts';
import type { OpenTransaction } from './consumer-store.ts';
import type { ConsumedEvent } from './read-event.ts';

/** Runs a projection: its writes and its position commit together. */
export class ProjectionConsumer extends Consumer {
  constructor(
    surroundings: ConsumerSurroundings,
    private readonly projection: ProjectionHandler,
  ) {
    super(surroundings, projection);
  }

  async handle(stretch: Stretch, tx: RecordingTransaction): Promise<readonly EventEnvelope[]> {
    const fresh = await this.aboveOffset(stretch, tx);
    if (fresh.length === 0) return [];
    const free = fresh.filter(({ event }) => !stretch.parked.has(event.subject));
    if (free.length > 0)
      await this.projection.fold(
        free.map(({ event }) => event),
        tx,
      );
    await this.append(
      fresh.filter((consumed) => !free.includes(consumed)),
      tx,
    );
    await this.keepOffset(stretch, fresh.at(-1)!, tx);
    return [];
  }

  /** Returns all events, because the transaction itself compares them with the stored offset. */
  async withoutHandled(events: readonly ConsumedEvent[]): Promise<readonly ConsumedEvent[]> {
    return events;
  }

  protected async takeParked(event: EventEnvelope, tx: RecordingTransaction): Promise<void> {
    await this.projection.fold([event], tx);
  }

  protected passOver(stretch: Stretch, passed: ConsumedEvent, tx: OpenTransaction): Promise<void> {
    return this.keepOffset(stretch, passed, tx);
  }

  private async aboveOffset(stretch: Stretch, tx: OpenTransaction): Promise<readonly ConsumedEvent[]> {
    const row = await this.surroundings.store.offsets(tx).findById(this.offsetIdOf(stretch));
    if (!row) return stretch.events;
    const folded = BigInt(row.offset);
    return stretch.events.filter(({ logged }) => BigInt(logged.offset) > folded);
  }

  private async keepOffset(stretch: Stretch, last: ConsumedEvent, tx: OpenTransaction): Promise<void> {
    const _id = this.offsetIdOf(stretch);
    await this.surroundings.store.offsets(tx).upsert({ _id }, { $set: { offset: last.logged.offset } });
  }

  private offsetIdOf({ topic, partition }: Stretch): string {
    return `${this.projection.consumer}|${topic}|${partition}`;
  }
}
